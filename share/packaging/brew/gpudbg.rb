# SPDX-License-Identifier: GPL-3.0-or-later
# Homebrew formula.  `url` is the tarball of `make dist`, beside this file.
class Gpudbg < Formula
  desc "Debugger and inspector for GPU machine code and captured GPU state"
  homepage "@homepage@"
  license "GPL-3.0-or-later"
  version "@version@"
  url "file://#{__dir__}/gpudbg-@version@.tar.gz"

  depends_on "pkgconf" => :build
  depends_on :linux # libelf and libdw are elfutils', which needs Linux
  depends_on "bzip2"
  depends_on "elfutils"
  depends_on "jansson"
  depends_on "xxhash"
  depends_on "cairo"
  depends_on "libpng"
  depends_on "libyaml"
  depends_on "lz4"
  depends_on "msgpack"
  depends_on "ncurses"
  depends_on "readline"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "make", "PREFIX=#{prefix}", "PIE=-pie"
    system "make", "PREFIX=#{prefix}", "PIE=-pie", "install"
  end

  test do
    assert_match "Done: 64 waves", shell_output("#{bin}/gpudbg --batch --demo=matmul -e continue")
  end
end
