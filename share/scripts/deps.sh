#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   deps.sh check GROUP...      what is missing, a line each; fails if anything is
#   deps.sh install GROUP...    installs it with apt-get; elsewhere it says what to install, and fails
#
# Groups: build, test, oracle, packages.  CC and PKG_CONFIG are the commands that the build uses.
#
# A row has two lines: group, how it is found, what it is for; then its packages for Debian, Fedora, Arch, Alpine, Nix
# and brew.  It is found when there is such a command (cmd), a module of pkg-config (pkg) or of Perl (perl), a file
# (file), a header (header), or by the package alone (deb).  A dash: we know of no package; cpan: `cpan` installs the
# module of Perl.
table='
build    cmd:cc                        compiling
    gcc                     gcc                     gcc             build-base      gcc               gcc
build    cmd:pkg-config                finding_the_libraries
    pkg-config              pkgconf-pkg-config      pkgconf         pkgconf         pkg-config        pkgconf
build    pkg:ncursesw                  the_screen
    libncurses-dev          ncurses-devel           ncurses         ncurses-dev     ncurses           ncurses
build    pkg:readline                  the_prompt
    libreadline-dev         readline-devel          readline        readline-dev    readline          readline
build    pkg:libelf                    code_objects
    libelf-dev              elfutils-libelf-devel   libelf          elfutils-dev    elfutils          elfutils
build    pkg:libdw                     line_tables
    libdw-dev               elfutils-devel          libelf          elfutils-dev    elfutils          elfutils
build    pkg:msgpack                   code_objects_3_and_later
    libmsgpack-dev          msgpack-devel           msgpack-c       msgpack-c-dev   msgpack-c         msgpack
build    pkg:yaml-0.1                  code_objects_2
    libyaml-dev             libyaml-devel           libyaml         yaml-dev        libyaml           libyaml
build    pkg:zlib                      compressed_files
    zlib1g-dev              zlib-devel              zlib            zlib-dev        zlib              zlib
build    pkg:liblzma                   files_packed_by_xz_and_lzip
    liblzma-dev             xz-devel                xz              xz-dev          xz                xz
build    header:bzlib.h                files_packed_by_bzip2
    libbz2-dev              bzip2-devel             bzip2           bzip2-dev       bzip2             bzip2
build    pkg:libzstd                   files_packed_by_zstd
    libzstd-dev             libzstd-devel           zstd            zstd-dev        zstd              zstd
build    pkg:liblz4                    files_packed_by_lz4
    liblz4-dev              lz4-devel               lz4             lz4-dev         lz4               lz4
build    pkg:libpng                    PNG_files
    libpng-dev              libpng-devel            libpng          libpng-dev      libpng            libpng
build    pkg:cairo                     pictures_as_PNG
    libcairo2-dev           cairo-devel             cairo           cairo-dev       cairo             cairo
build    pkg:jansson                   JSON_output
    libjansson-dev          jansson-devel           jansson         jansson-dev     jansson           jansson
build    pkg:libxxhash                 the_hash_of_a_machine
    libxxhash-dev           xxhash-devel            xxhash          xxhash-dev      xxHash            xxhash
test     cmd:prove                     running_tests
    perl                    perl                    perl            perl-utils      perl              perl
test     perl:JSON                     reading_JSON
    libjson-perl            perl-JSON               perl-json       perl-json       perlPackages.JSON cpan
test     perl:JSON::Validator          schemas
    libjson-validator-perl  cpan                    cpan            cpan            cpan              cpan
test     cmd:tmux                      a_real_terminal
    tmux                    tmux                    tmux            tmux            tmux              tmux
test     cmd:python3                   the_module_for_Python
    python3                 python3                 python          python3         python3           python
oracle   cmd:llvm-mc-19                assembling_gfx7
    llvm-19                 llvm                    llvm            llvm19          llvm_19           llvm@19
oracle   cmd:clang-19                  OpenCL_for_gfx7,_fuzzers
    clang-19                clang                   clang           clang19         clang_19          llvm@19
oracle   cmd:ld.lld-19                 linking_code_objects
    lld-19                  lld                     lld             lld19           lld_19            lld@19
oracle   deb:rocm-device-libs          OpenCL_functions
    rocm-device-libs        rocm-device-libs        rocm-device-libs -              rocmPackages.rocm-device-libs -
oracle   deb:libclang-rt-19-dev        sanitizers_and_fuzzers
    libclang-rt-19-dev      compiler-rt             compiler-rt     compiler-rt     llvmPackages_19.compiler-rt llvm@19
oracle   cmd:clang-14                  code_objects_2_and_3
    clang-14                -                       -               -               clang_14          llvm@14
oracle   cmd:clang-format-14           the_layout_of_the_source
    clang-format-14         -                       -               -               clang-tools_14    llvm@14
oracle   cmd:ld.lld-14                 linking_code_objects_2_and_3
    lld-14                  -                       -               -               lld_14            llvm@14
oracle   deb:libclang-common-14-dev    OpenCL_headers
    libclang-common-14-dev  -                       -               -               clang_14          llvm@14
oracle   deb:pocl-opencl-icd           kernels_on_the_host
    pocl-opencl-icd         pocl                    pocl            -               pocl              pocl
oracle   deb:ocl-icd-opencl-dev        kernels_on_the_host
    ocl-icd-opencl-dev      ocl-icd-devel           ocl-icd         opencl-icd-loader-dev ocl-icd     opencl-icd-loader
oracle   file:/usr/include/CL/cl.h     kernels_on_the_host
    opencl-headers          opencl-headers          opencl-headers  opencl-headers  opencl-headers    opencl-headers
oracle   cmd:oclgrind                  a_peer_for_make_bench
    oclgrind                -                       -               -               oclgrind          -
oracle   cmd:iga64                     assembling_gen7.5_and_gen12
    libigc-tools            -                       intel-graphics-compiler -       intel-graphics-compiler -
oracle   cmd:intel_error_decode        reading_error_states_of_i915
    intel-gpu-tools         igt-gpu-tools           intel-gpu-tools igt-gpu-tools   intel-gpu-tools   intel-gpu-tools
oracle   cmd:ocloc                     compiling_OpenCL_for_gen12
    intel-opencl-icd        intel-compute-runtime   intel-compute-runtime -         intel-compute-runtime -
oracle   deb:libhsa-runtime64-1        code_objects_of_AMD
    libhsa-runtime64-1      rocm-runtime            hsa-rocr        -               rocmPackages.rocm-runtime -
oracle   cmd:mypy                      types_of_the_module_for_Python
    mypy                    python3-mypy            mypy            py3-mypy        mypy              mypy
oracle   deb:python3-numpy             arrays_of_the_module_for_Python
    python3-numpy           python3-numpy           python-numpy    py3-numpy       python3Packages.numpy numpy
oracle   deb:python3-matplotlib        the_notebook
    python3-matplotlib      python3-matplotlib      python-matplotlib py3-matplotlib python3Packages.matplotlib -
oracle   deb:python3-nbclient          the_notebook
    python3-nbclient        python3-nbclient        python-nbclient -               python3Packages.nbclient -
oracle   deb:python3-ipykernel         the_notebook
    python3-ipykernel       python3-ipykernel       python-ipykernel -              python3Packages.ipykernel -
oracle   deb:python3-pip               the_wheel
    python3-pip             python3-pip             python-pip      py3-pip         python3Packages.pip -
oracle   deb:python3-setuptools        the_wheel
    python3-setuptools      python3-setuptools      python-setuptools py3-setuptools python3Packages.setuptools -
oracle   deb:python3-wheel             the_wheel
    python3-wheel           python3-wheel           python-wheel    py3-wheel       python3Packages.wheel -
oracle   cmd:node                      clients_of_the_debug_adapter
    nodejs                  nodejs                  nodejs          nodejs          nodejs            node
oracle   cmd:npm                       clients_of_the_debug_adapter
    npm                     nodejs-npm              npm             npm             nodejs            node
oracle   perl:JSON::XS                 reading_much_JSON
    libjson-xs-perl         perl-JSON-XS            perl-json-xs    perl-json-xs    perlPackages.JSONXS cpan
packages cmd:dpkg-buildpackage         make_deb
    dpkg-dev                -                       -               -               -                 -
packages cmd:dh                        make_deb
    debhelper               -                       -               -               -                 -
packages cmd:lintian                   make_deb
    lintian                 -                       -               -               -                 -
packages cmd:mandoc                    checking_man_pages
    mandoc                  mandoc                  mandoc          mandoc          mandoc            mandoc
packages cmd:desktop-file-validate     checking_what_menus_read
    desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils desktop-file-utils
packages cmd:appstreamcli              checking_what_menus_read
    appstream               appstream               appstream       appstream       appstream         -
packages cmd:rpmspec                   checking_the_spec
    rpm                     rpm-build               rpm-tools       rpm             rpm               rpm
packages cmd:makepkg                   checking_the_PKGBUILD
    makepkg                 -                       pacman          -               pacman            -
packages cmd:ruby                      checking_the_formula
    ruby                    ruby                    ruby            ruby            ruby              ruby
packages cmd:nix-instantiate           checking_the_Nix_expression
    nix-bin                 nix                     nix             nix             nix               -
packages cmd:sphinx-build              the_manual
    python3-sphinx          python3-sphinx          python-sphinx   py3-sphinx      sphinx            sphinx-doc
packages cmd:makeinfo                  the_manual_for_info
    texinfo                 texinfo                 texinfo         texinfo         texinfo           texinfo
packages cmd:zsh                       checking_completion
    zsh                     zsh                     zsh             zsh             zsh               zsh
packages cmd:fish                      checking_completion
    fish                    fish                    fish            fish            fish              fish
'
systems='Debian Fedora Arch Alpine Nix brew'

has() { command -v "$1" >/dev/null 2>&1; }

installed() { # the Debian package $1
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'
}

found() { # how, Debian package
    case $1 in pkg:*) has "${PKG_CONFIG:-pkg-config}" || { installed "$2"; return; } ;; esac
    case $1 in
    cmd:cc) has "${CC:-cc}" || has "${CC%% *}" ;;
    cmd:pkg-config) has "${PKG_CONFIG:-pkg-config}" ;;
    cmd:*) has "${1#*:}" ;;
    pkg:msgpack)
        "${PKG_CONFIG:-pkg-config}" --exists msgpack 2>/dev/null ||
            "${PKG_CONFIG:-pkg-config}" --exists msgpack-c 2>/dev/null
        ;;
    pkg:*) "${PKG_CONFIG:-pkg-config}" --exists "${1#*:}" 2>/dev/null ;;
    perl:*) perl "-M${1#*:}" -e 1 2>/dev/null ;;
    file:*) [ -e "${1#*:}" ] ;;
    header:*) echo "#include <${1#*:}>" | ${CC:-cc} ${CPPFLAGS-} -E - >/dev/null 2>&1 ;;
    deb:*) installed "$2" ;;
    esac
}

case $1 in check | install) action=$1 ;; *) echo "deps.sh: check or install" >&2; exit 2 ;; esac
shift
if has apt-get; then system=Debian
elif has dnf || has yum; then system=Fedora
elif has pacman; then system=Arch
elif has apk; then system=Alpine
elif has nix-env; then system=Nix
elif has brew; then system=brew
else system=; fi

missing=
lines=$(
    echo "$table" | while read -r group how use; do
        [ -n "$group" ] && read -r debian others || continue
        case " $* " in *" $group "*) ;; *) continue ;; esac
        found "$how" "$debian" && continue
        row="${how#*:} $use"
        for package in $debian $others; do
            [ "$package" = cpan ] && package=cpan:${how#*:}
            row="$row $package"
        done
        echo "$row"
    done
)
[ -n "$lines" ] || { [ "$action" = check ] || echo "all packages are there ($*)"; exit 0; }

# The packages of one column of what is missing.
packages() { echo "$lines" | cut -d' ' -f"$1" | grep -v '^-$' | sort -u | tr '\n' ' '; }

column=3
for s in $systems; do
    [ "$s" = "$system" ] && break
    column=$((column + 1))
done

if [ "$action" = check ]; then
    echo "$lines" | while read -r what use debian rest; do
        package=$(echo "$what $use $debian $rest" | cut -d' ' -f"$([ -n "$system" ] && echo "$column" || echo 3)")
        echo "gpudbg: $what is missing ($(echo "$use" | tr _ ' ')): package $package;" \
            "\`make deps\` installs what is missing" >&2
    done
    exit 1
fi

if [ "$system" != Debian ]; then
    echo "gpudbg: there is no apt-get here; please install what is missing and run make again:" >&2
    column=3
    for s in $systems; do
        printf '  %-7s %s\n' "$s" "$(packages $column)" >&2
        column=$((column + 1))
    done
    exit 1
fi
missing=$(packages 3)
root=
if [ "$(id -u)" != 0 ]; then
    if has sudo; then root=sudo
    else
        echo "gpudbg: you are not root, and there is no sudo; run this as root, and make again:" >&2
        echo "  apt-get install --no-install-recommends $missing" >&2
        exit 1
    fi
fi
echo "installing: $missing"
$root apt-get update -q >/dev/null
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $root apt-get install -q -y --no-install-recommends $missing
