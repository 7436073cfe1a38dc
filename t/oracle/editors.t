#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Editors without a window drive the adapter by the configurations of share/editors: Neovim with nvim-dap, Emacs with
# dape and with dap-mode.  The plug-ins are in $NVIM_DAP and $DAPE, or where Debian's packages are; what is missing is
# left out.  Each opens a kernel, steps, stops at a breakpoint, goes back, asks for values, and opens a log of a hang.
use v5.36;
use Cwd qw(abs_path getcwd);
use File::Temp qw(tempdir);
use Test::More;

my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/$_" for qw(bin home state);
symlink abs_path($ENV{GPUDBG} // 'build/gpudbg'), "$dir/bin/gpudbg" or die "gpudbg: $!";
local @ENV{qw(TOP PATH HOME XDG_STATE_HOME GPUDBG_DATA)} =
    (getcwd, "$dir/bin:$ENV{PATH}", "$dir/home", "$dir/state", abs_path($ENV{GPUDBG_DATA} // 'share'));

sub spew ($name, $text) { open my $f, '>', "$dir/$name" or die "$name: $!"; print $f $text; close $f or die }
sub found ($program) { return system("command -v $program >/dev/null 2>&1") == 0 }

my $wanted = <<'E';
launch matmul.cl 10
next matmul.cl 11
breakpoint matmul.cl 23
scopes Arguments, Locals, Globals, Scalar registers, Lane 0, All lanes, Masks, Memory
value 64
back matmul.cl 21
reverse matmul.cl 10
log mesa.log 28
end
E

sub editor ($name, $missing, @command) {
    subtest $name => sub {
        plan skip_all => "$missing is not installed" if $missing;
        open my $out, '-|', 'sh', '-c', '"$@" 2>&1 </dev/null', 'sh', 'timeout', 120, @command or die "sh: $!";
        my $said = join '', <$out>;
        close $out;
        my @saw = $said =~ /SAW ([^\n]+\n)/g; # an editor's own messages come without an end of line
        is join('', @saw), $wanted, 'it sees where the kernel stands, and the log' or diag $said;
    };
}

spew('nvim.lua', <<'E');
vim.opt.runtimepath:prepend(vim.env.NVIM_DAP)
local dap, top, stops, scoped = require('dap'), vim.env.TOP, 0, 0
dofile(top .. '/share/editors/neovim/gpudbg.lua')
dap.listeners.after.event_stopped.test = function() stops = stops + 1 end
dap.listeners.after.scopes.test = function() scoped = scoped + 1 end
local function saw(...) io.stdout:write('SAW ', table.concat({ ... }, ' '), '\n') end
local function wait(what, come)
  if not vim.wait(60000, come, 10) then saw(what, 'did not come') vim.cmd('cquit 1') end
end
local function stop(what, act, ...)
  local n, m = stops, scoped
  act(...)
  wait(what, function() return stops > n and scoped > m end)
  local frame = dap.session().current_frame
  saw(what, vim.fn.fnamemodify(frame.source.path, ':t'), frame.line)
end
local function ask(command, arguments)
  local answer
  arguments.frameId = dap.session().current_frame.id
  dap.session():request(command, arguments, function(_, body) answer = body end)
  wait(command, function() return answer end)
  return answer
end
vim.cmd('edit ' .. top .. '/share/demo/matmul.cl')
stop('launch', dap.run, { type = 'gpudbg', request = 'launch', name = 'matmul', cwd = top .. '/share/demo',
  program = 'matmul.co', kernel = 'matmul', global = { 64, 64 }, ['local'] = { 16, 16 },
  args = { 'zero:16384', '@matmul_a.bin', '@matmul_b.bin', 64 } })
stop('next', dap.step_over)
vim.fn.search('c\\[row \\* n')
dap.toggle_breakpoint()
stop('breakpoint', dap.continue)
local names = {}
for _, scope in ipairs(ask('scopes', {}).scopes) do table.insert(names, scope.name) end
saw('scopes', table.concat(names, ', '))
saw('value', ask('evaluate', { expression = 'n@entry', context = 'hover' }).result)
stop('back', dap.step_back)
stop('reverse', dap.reverse_continue)
dap.terminate()
wait('an end', function() return not dap.session() end)
stop('log', dap.run, { type = 'gpudbg', request = 'launch', name = 'log', program = top .. '/t/data/dumps/mesa.log' })
dap.disconnect()
wait('another end', function() return not dap.session() end)
saw('end')
vim.cmd('qall!')
E

my $emacs = <<'E';
;; -*- lexical-binding: t -*-
(setq kill-buffer-query-functions nil)
(add-to-list 'load-path (concat (getenv "TOP") "/share/editors/emacs"))
(defvar top (getenv "TOP"))
(defvar stops 0)
(defvar answer nil)
(defun saw (&rest words) (princ (concat "SAW " (mapconcat (lambda (word) (format "%s" word)) words " ") "\n")))
(defun wait (what come)
  (let ((end (+ (float-time) 60)))
    (while (not (funcall come))
      (when (> (float-time) end) (saw what "did not come") (kill-emacs 1))
      (accept-process-output nil 0.02))))
(defun rest-a-while () (dotimes (_ 10) (accept-process-output nil 0.05)))
(defun stop (what act)
  (let ((before stops))
    (funcall act)
    (wait what (lambda () (and (> stops before) (place))))
    (rest-a-while)
    (saw what (place))))
(defun names (scopes) (mapconcat #'identity scopes ", "))
(defun breakpoint (toggle)
  (with-current-buffer (find-file-noselect (concat top "/share/demo/matmul.cl"))
    (goto-char (point-min))
    (search-forward "c[row * n")
    (funcall toggle))
  (rest-a-while))
(find-file (concat top "/share/demo/matmul.cl"))
(c-mode)
(defvar matmul (list :type "gpudbg" :request "launch" :cwd (concat top "/share/demo") :program "matmul.co"
                     :kernel "matmul" :global [64 64] :local [16 16]
                     :args ["zero:16384" "@matmul_a.bin" "@matmul_b.bin" 64]))
(defvar hang (list :type "gpudbg" :request "launch" :cwd top :program (concat top "/t/data/dumps/mesa.log")))
E

spew('dape.el', $emacs . <<'E');
(require 'gpudbg-dape)
(setq dape-buffer-window-arrangement nil dape-display-source-buffer-action '(display-buffer-same-window))
(cl-defmethod dape-handle-event :after (_conn (_event (eql stopped)) _body) (setq stops (1+ stops)))
(defun conn () (dape--live-connection 'stopped t))
(defun frame () (and (conn) (dape--current-stack-frame (conn))))
(defun place ()
  (let ((path (plist-get (plist-get (frame) :source) :path)))
    (and path (format "%s %s" (file-name-nondirectory path) (plist-get (frame) :line)))))
(defun run (more)
  (let ((config (copy-tree (alist-get 'gpudbg dape-configs))))
    (while more (setq config (plist-put config (pop more) (pop more))))
    (dape config)))
(defun ask (command &rest arguments)
  (setq answer nil)
  (dape-request (conn) command (append (list :frameId (plist-get (frame) :id)) arguments)
                (lambda (body _error) (setq answer body)))
  (wait command (lambda () answer))
  answer)
(stop "launch" (lambda () (run matmul)))
(stop "next" (lambda () (dape-next (conn))))
(breakpoint #'dape-breakpoint-toggle)
(stop "breakpoint" (lambda () (dape-continue (conn))))
(saw "scopes" (names (mapcar (lambda (scope) (plist-get scope :name)) (plist-get (ask "scopes") :scopes))))
(saw "value" (plist-get (ask "evaluate" :expression "n@entry") :result))
(stop "back" (lambda () (dape-evaluate-expression (conn) "reverse-step")))
(stop "reverse" (lambda () (dape-evaluate-expression (conn) "reverse-continue")))
(dape-quit)
(wait "an end" (lambda () (not (dape--live-connection 'parent t))))
(stop "log" (lambda () (run hang)))
(dape-quit)
(saw "end")
E

spew('dap-mode.el', $emacs . <<'E');
(defvar treemacs-text-scale nil)
(require 'gpudbg-dap)
(require 'dap-ui)
(add-hook 'dap-stack-frame-changed-hook (lambda (_session) (setq stops (1+ stops))))
(defun frame () (dap--debug-session-active-frame (dap--cur-session)))
(defun place ()
  (let ((path (gethash "path" (gethash "source" (frame)))))
    (format "%s %s" (file-name-nondirectory path) (gethash "line" (frame)))))
(defun ask (command &rest arguments)
  (setq answer nil)
  (dap--send-message (dap--make-request command (append (list :frameId (gethash "id" (frame))) arguments))
                     (lambda (response) (setq answer (gethash "body" response))) (dap--cur-session))
  (wait command (lambda () answer))
  answer)
(stop "launch" (lambda () (dap-debug (append (list :name "matmul") matmul))))
(stop "next" (lambda () (dap-next (dap--cur-session))))
(breakpoint #'dap-breakpoint-toggle)
(stop "breakpoint" (lambda () (call-interactively #'dap-continue)))
(saw "scopes" (names (mapcar (lambda (scope) (gethash "name" scope)) (gethash "scopes" (ask "scopes")))))
(saw "value" (gethash "result" (ask "evaluate" :expression "n@entry")))
(stop "back" (lambda () (call-interactively #'gpudbg-dap-step-back)))
(stop "reverse" (lambda () (call-interactively #'gpudbg-dap-reverse-continue)))
(dap-disconnect (dap--cur-session))
(rest-a-while)
(stop "log" (lambda () (dap-debug (append (list :name "log") hang))))
(dap-disconnect (dap--cur-session))
(saw "end")
E

my $elpa = '/usr/share/emacs/site-lisp/elpa';
my $no_nvim = !found('nvim') ? 'Neovim' : !$ENV{NVIM_DAP} ? 'nvim-dap ($NVIM_DAP)' : '';
my $no_emacs = found('emacs') ? '' : 'Emacs';
my @dape = $ENV{DAPE} ? ('-L', $ENV{DAPE}) : ();
my $no_dape = @dape || glob("$elpa/dape-*") ? '' : 'dape ($DAPE)';
my $no_dap_mode = glob("$elpa/dap-mode-*") ? '' : 'dap-mode';
editor('Neovim, nvim-dap', $no_nvim, 'nvim', '--headless', '-u', 'NONE', '-S', "$dir/nvim.lua");
editor('Emacs, dape', $no_emacs || $no_dape, 'emacs', '--batch', @dape, '-l', "$dir/dape.el");
editor('Emacs, dap-mode', $no_emacs || $no_dap_mode, 'emacs', '--batch', '-l', "$dir/dap-mode.el");
done_testing;
