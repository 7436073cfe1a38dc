;;; gpudbg-dape.el --- gpudbg for dape -*- lexical-binding: t -*-
;; SPDX-License-Identifier: GPL-3.0-or-later
;;; Commentary:
;; README.md beside this file says how to use it.
;;; Code:
(require 'dape)

(add-to-list 'dape-configs
             '(gpudbg
               modes (opencl-mode opencl-c-mode c-mode c-ts-mode c++-mode asm-mode)
               command "gpudbg"
               command-args ("--dap")
               :type "gpudbg"
               :request "launch"
               :cwd dape-cwd
               :program (lambda () (read-file-name "File with the kernel: "))
               :global [64]
               :local [64]
               :args []))

(provide 'gpudbg-dape)
;;; gpudbg-dape.el ends here
