-- SPDX-License-Identifier: GPL-3.0-or-later
-- gpudbg for nvim-dap; README.md beside this file says how to use it.
local dap = require('dap')

dap.adapters.gpudbg = {
  type = 'executable',
  command = 'gpudbg',
  args = { '--dap' },
}

-- Asks for what a launch needs; an editor's own configuration may name it all.
local function ask(question, default)
  return function()
    return vim.fn.input(question .. ': ', default or '')
  end
end

local function words(question)
  return function()
    return vim.split(vim.fn.input(question .. ': '), ' ', { trimempty = true })
  end
end

local configurations = {
  {
    type = 'gpudbg',
    request = 'launch',
    name = 'gpudbg: kernel',
    cwd = '${workspaceFolder}',
    program = function()
      return vim.fn.input('File with the kernel: ', vim.fn.getcwd() .. '/', 'file')
    end,
    global = ask('Global size', '64'),
    ['local'] = ask('Local size', '64'),
    args = words('Arguments'),
  },
}

for _, language in ipairs({ 'opencl', 'c', 'cpp', 'asm' }) do
  dap.configurations[language] = vim.list_extend(dap.configurations[language] or {}, configurations)
end
