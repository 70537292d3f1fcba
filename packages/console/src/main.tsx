import { render } from 'preact'
import { App } from './app.tsx'
import './style/base.css'
import './style/parts.css'
import './style/screens.css'
import './style/document.css'
import { applyTheme } from './theme.ts'

applyTheme()
const place = document.getElementById('console')
if (place) render(<App />, place)
