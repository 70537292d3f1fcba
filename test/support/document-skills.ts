/**
 * Skills for documents, built like the public ones: SKILL.md leads to a page, and only that page names the scripts, which share a module,
 * name XML namespaces and declare what they need. They use nothing but Python's standard library.
 */
export interface DocumentSkill {
  readonly extension: string
  readonly files: Readonly<Record<string, string>>
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRels = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types'

interface Format {
  /** The parts of the file beside the content types, with `TEXT` where the text stands. */
  readonly parts: Readonly<Record<string, string>>
  /** The part and the tag, with its namespace, that hold the text. */
  readonly part: string
  readonly namespace: string
  /** The prefixes of its namespaces, which filling keeps. */
  readonly prefixes: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, string>>
}

const rels = (...targets: readonly (readonly [string, string])[]) =>
  `<Relationships xmlns="${packageRels}">${targets
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const slides = 'http://schemas.openxmlformats.org/presentationml/2006/main'
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const typeOf = (name: string) => `application/vnd.openxmlformats-officedocument.${name}+xml`

const formats: Readonly<Record<'docx' | 'xlsx' | 'pptx', Format>> = {
  docx: {
    part: 'word/document.xml',
    namespace: word,
    prefixes: { w: word },
    overrides: { '/word/document.xml': typeOf('wordprocessingml.document.main') },
    parts: {
      '_rels/.rels': rels(['officeDocument', 'word/document.xml']),
      'word/document.xml': `<w:document xmlns:w="${word}"><w:body><w:p><w:r><w:t>TEXT</w:t></w:r></w:p></w:body></w:document>`,
    },
  },
  xlsx: {
    part: 'xl/worksheets/sheet1.xml',
    namespace: sheet,
    prefixes: { '': sheet },
    overrides: {
      '/xl/workbook.xml': typeOf('spreadsheetml.sheet.main'),
      '/xl/worksheets/sheet1.xml': typeOf('spreadsheetml.worksheet'),
    },
    parts: {
      '_rels/.rels': rels(['officeDocument', 'xl/workbook.xml']),
      'xl/_rels/workbook.xml.rels': rels(['worksheet', 'worksheets/sheet1.xml']),
      'xl/workbook.xml': `<workbook xmlns="${sheet}" xmlns:r="${office}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${sheet}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>TEXT</t></is></c></row></sheetData></worksheet>`,
    },
  },
  pptx: {
    part: 'ppt/slides/slide1.xml',
    namespace: drawing,
    prefixes: { a: drawing, p: slides },
    overrides: {
      '/ppt/presentation.xml': typeOf('presentationml.presentation.main'),
      '/ppt/slides/slide1.xml': typeOf('presentationml.slide'),
    },
    parts: {
      '_rels/.rels': rels(['officeDocument', 'ppt/presentation.xml']),
      'ppt/_rels/presentation.xml.rels': rels(['slide', 'slides/slide1.xml']),
      'ppt/presentation.xml': `<p:presentation xmlns:p="${slides}" xmlns:r="${office}"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
      'ppt/slides/slide1.xml': `<p:sld xmlns:p="${slides}" xmlns:a="${drawing}"><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="Text"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>TEXT</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    },
  },
}

const pages = (extension: string) => ({
  'SKILL.md': `---\nname: ${extension}\ndescription: Creates, fills and reads ${extension} files.\n---\n\nTo work on a file, read [the reference](reference.md) first.\n`,
  'reference.md': `# Working on ${extension} files\n\n1. \`python scripts/create.py outputs/form.${extension} "Recipient: {{name}}"\` creates a form.\n2. \`python scripts/fill.py <form> outputs/filled.${extension} name=<value>\` fills it.\n3. \`python scripts/read.py <file>\` prints its text.\n`,
  'requirements.txt': '# The standard library is enough.\n',
})

function officeSkill(extension: keyof typeof formats): DocumentSkill {
  const { parts, part, namespace, prefixes, overrides } = formats[extension]
  const types = `<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
    overrides,
  )
    .map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`)
    .join('')}</Types>`
  return {
    extension,
    files: {
      ...pages(extension),
      'scripts/ooxml/__init__.py': '',
      'scripts/ooxml/parts.py': `PART = ${JSON.stringify(part)}
TEXT = "{${namespace}}t"
PARTS = ${JSON.stringify({ '[Content_Types].xml': types, ...parts }, null, 1)}
PREFIXES = ${JSON.stringify(prefixes)}
`,
      'scripts/create.py': `import sys, zipfile
from xml.sax.saxutils import escape
from ooxml.parts import PARTS
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as made:
    for name, text in PARTS.items():
        made.writestr(name, text.replace("TEXT", escape(sys.argv[2])))
`,
      'scripts/fill.py': `import sys, zipfile
import xml.etree.ElementTree as ET
from ooxml.parts import PART, PREFIXES, TEXT
for prefix, name in PREFIXES.items(): ET.register_namespace(prefix, name)
values = dict(pair.split("=", 1) for pair in sys.argv[3:])
with zipfile.ZipFile(sys.argv[1]) as form, zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as filled:
    for name in form.namelist():
        content = form.read(name)
        if name == PART:
            tree = ET.fromstring(content)
            for element in tree.iter(TEXT):
                for key, value in values.items():
                    element.text = (element.text or "").replace("{{" + key + "}}", value)
            content = ET.tostring(tree, encoding="UTF-8", xml_declaration=True)
        filled.writestr(name, content)
`,
      'scripts/read.py': `import sys, zipfile
import xml.etree.ElementTree as ET
from ooxml.parts import PART, TEXT
with zipfile.ZipFile(sys.argv[1]) as file:
    print("\\n".join(element.text or "" for element in ET.fromstring(file.read(PART)).iter(TEXT)))
`,
    },
  }
}

/** A form of one page; it is filled by an incremental update, which leaves the bytes before it as they are. */
const pdfSkill: DocumentSkill = {
  extension: 'pdf',
  files: {
    ...pages('pdf'),
    'scripts/forms/__init__.py': '',
    'scripts/forms/write.py': `XMP = "http://ns.adobe.com/xap/1.0/"

def page(text):
    text = text.replace("\\\\", "\\\\\\\\").replace("(", "\\\\(").replace(")", "\\\\)")
    stream = "BT /F1 12 Tf 72 720 Td (%s) Tj ET" % text
    return "<< /Length %d >>\\nstream\\n%s\\nendstream" % (len(stream), stream)

def objects(out, numbered, previous=None):
    places = []
    for number, body in numbered:
        places.append((number, out.tell()))
        out.write(("%d 0 obj\\n%s\\nendobj\\n" % (number, body)).encode("latin-1"))
    start = out.tell()
    out.write(b"xref\\n")
    if previous is None: out.write(b"0 1\\n0000000000 65535 f \\n")
    for number, place in places: out.write(("%d 1\\n%010d 00000 n \\n" % (number, place)).encode())
    more = "" if previous is None else " /Prev %d" % previous
    out.write(("trailer\\n<< /Size 6 /Root 1 0 R%s >>\\nstartxref\\n%d\\n%%%%EOF\\n" % (more, start)).encode())
`,
    'scripts/create.py': `import sys
from forms.write import objects, page
with open(sys.argv[1], "wb") as out:
    out.write(b"%PDF-1.4\\n")
    objects(out, [
        (1, "<< /Type /Catalog /Pages 2 0 R >>"),
        (2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
        (3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"),
        (4, page(sys.argv[2])),
        (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
    ])
`,
    'scripts/fill.py': `import io, re, sys
from forms.write import objects, page
values = dict(pair.split("=", 1) for pair in sys.argv[3:])
form = open(sys.argv[1], "rb").read()
text = re.findall(rb"\\((.*)\\) Tj", form)[-1].decode("latin-1")
for key, value in values.items(): text = text.replace("{{" + key + "}}", value)
previous = int(re.findall(rb"startxref\\s+(\\d+)", form)[-1])
out = io.BytesIO()
out.write(form)
objects(out, [(4, page(text))], previous)
open(sys.argv[2], "wb").write(out.getvalue())
`,
    'scripts/read.py': `import re, sys
print(re.findall(rb"\\((.*)\\) Tj", open(sys.argv[1], "rb").read())[-1].decode("latin-1"))
`,
  },
}

export const documentSkills: readonly DocumentSkill[] = [
  officeSkill('docx'),
  pdfSkill,
  officeSkill('pptx'),
  officeSkill('xlsx'),
]
