# SPDX-License-Identifier: GPL-3.0-or-later
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "gpudbg";
  version = "@version@";
  src = ./gpudbg-@version@.tar.gz;

  nativeBuildInputs = [ pkgs.pkg-config pkgs.perl ];
  buildInputs = with pkgs; [ ncurses readline elfutils msgpack-c libyaml zlib jansson xxHash bzip2 lz4 xz zstd libpng cairo ];

  makeFlags = [ "PREFIX=$(out)" "PIE=-pie" ];
  enableParallelBuilding = true;
  doCheck = true;
  checkPhase = "build/gpudbg --batch --demo=matmul -e continue -e 'info hash'";

  meta = {
    description = "Debugger and inspector for GPU machine code and captured GPU state";
    homepage = "@homepage@";
    license = pkgs.lib.licenses.gpl3Plus;
    mainProgram = "gpudbg";
    platforms = pkgs.lib.platforms.linux;
  };
}
