;;; gpudbg-dap.el --- Debug GPU kernels with gpudbg and dap-mode  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1") (dap-mode "0.7"))
;; Keywords: tools, processes

;;; Commentary:

;; Registers gpudbg with dap-mode.  README.md beside this file says how to use it.

;;; Code:

(require 'dap-mode)

(defgroup gpudbg-dap nil
  "GPU kernels in gpudbg."
  :group 'dap-mode
  :prefix "gpudbg-dap-")

(defcustom gpudbg-dap-program '("gpudbg" "--dap")
  "The command that speaks the Debug Adapter Protocol."
  :type '(repeat string))

(defun gpudbg-dap--populate (conf)
  "Fill in what CONF does not say."
  (setq conf (dap--put-if-absent conf :dap-server-path gpudbg-dap-program))
  (setq conf (dap--put-if-absent conf :request "launch"))
  (setq conf (dap--put-if-absent conf :name "gpudbg"))
  (setq conf (dap--put-if-absent conf :cwd (expand-file-name default-directory)))
  (dap--put-if-absent conf :program (expand-file-name (read-file-name "File with the kernel: "))))

(dap-register-debug-provider "gpudbg" #'gpudbg-dap--populate)

(dap-register-debug-template "gpudbg: kernel"
                             (list :type "gpudbg"
                                   :request "launch"
                                   :name "gpudbg: kernel"
                                   :program nil
                                   :global [64]
                                   :local [64]
                                   :args []))

(defun gpudbg-dap-step-back (session)
  "Go back to the beginning of the line before, in SESSION."
  (interactive (list (dap--cur-session-or-die)))
  (dap--step "stepBack" session))

(defun gpudbg-dap-reverse-continue (session)
  "Run backwards to the breakpoint or watchpoint before, in SESSION."
  (interactive (list (dap--cur-session-or-die)))
  (dap--step "reverseContinue" session))

(provide 'gpudbg-dap)
;;; gpudbg-dap.el ends here
