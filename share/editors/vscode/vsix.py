#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""vsix.py [FILE]: packs this folder as an extension that VS Code installs from a file, without npm and the network.

    python3 vsix.py gpudbg.vsix
    code --install-extension gpudbg.vsix
"""
import json
import os
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ['package.json', 'extension.js', 'README.md']
TYPES = {'.json': 'application/json', '.js': 'application/javascript', '.md': 'text/markdown',
         '.vsixmanifest': 'text/xml'}


def manifest(package):
    """The description that the package format wants beside package.json."""
    identity = ' '.join(f'{key}={quoteattr(value)}' for key, value in (
        ('Language', 'en-US'), ('Id', package['name']), ('Version', package['version']),
        ('Publisher', package['publisher'])))
    return f'''<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {identity}/>
    <DisplayName>{escape(package['displayName'])}</DisplayName>
    <Description xml:space="preserve">{escape(package['description'])}</Description>
    <Categories>{escape(','.join(package['categories']))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package['engines']['vscode'])}/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
'''


def content_types():
    rows = ''.join(f'<Default Extension={quoteattr(end)} ContentType={quoteattr(kind)}/>'
                   for end, kind in TYPES.items())
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{rows}</Types>\n')


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else 'gpudbg.vsix'
    with open(os.path.join(HERE, 'package.json'), encoding='utf-8') as f:
        package = json.load(f)
    members = [('extension.vsixmanifest', manifest(package).encode()),
               ('[Content_Types].xml', content_types().encode())]
    for name in FILES:
        with open(os.path.join(HERE, name), 'rb') as f:
            members.append(('extension/' + name, f.read()))
    with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as z:
        for name, data in members:  # the same bytes whenever it is made
            z.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


if __name__ == '__main__':
    main()
