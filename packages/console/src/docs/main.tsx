import { render } from 'preact'
import { DocsPage } from './docs-page.tsx'
import '../style/base.css'
import '../style/parts.css'
import '../style/document.css'
import './docs.css'

const place = document.getElementById('docs')
if (place) render(<DocsPage />, place)
