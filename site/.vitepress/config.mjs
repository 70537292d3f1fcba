import { defineConfig } from 'vitepress'
import { contents } from '../contents.mjs'

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export default defineConfig({
  title: 'Skillrun',
  description: 'Self-hosted service that runs agents with skills over any media',
  lang: 'en',
  base: '/docs/',
  srcDir: 'pages',
  outDir: process.env.SITE_OUT,
  // A page of one place must not load from another: see the policy in packages/server/src/features/console/routes.ts.
  metaChunk: true,
  markdown: {
    html: false,
    // Highlighting by style attributes would be refused by the policy.
    highlight: (code) => `<pre v-pre><code>${escaped(code)}</code></pre>`,
  },
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 }, logLevel: 'warn' },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [{ text: 'Console', link: '/', target: '_self', rel: '' }],
    sidebar: contents.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ page, title: text }) => ({ text, link: page === 'index' ? '/' : `/${page}` })),
    })),
    docFooter: { prev: false, next: false },
  },
})
