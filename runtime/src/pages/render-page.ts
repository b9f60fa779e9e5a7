import { Html, html } from "./html.js";

/** Readable at any width, in light and dark; without fonts, images or scripts. */
export const style = `
:root { color-scheme: light dark; --text: #1a1d21; --back: #f4f5f7; --card: #fff; --line: #d5d9df; --quiet: #565d66; --strong: #0b57d0; --on-strong: #fff; --warn: #7a4100; --warn-back: #fff4e0 }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --back: #16181b; --card: #202327; --line: #3c4148; --quiet: #a8b0ba; --strong: #a8c7fa; --on-strong: #062e6f; --warn: #ffd9a0; --warn-back: #3b2a10 } }
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3 }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem }
dl { margin: 0; display: grid; gap: .75rem }
dt { color: var(--quiet); font-size: .875rem }
dd { margin: 0 }
dd.host { font-size: 1.125rem; font-weight: 600 }
ul { margin: 0; padding-left: 1.25rem }
code { font: .875em ui-monospace, monospace }
.quiet { color: var(--quiet); font-size: .875rem }
.warning { margin: 1rem 0; padding: .75rem 1rem; border-left: .25rem solid var(--warn); background: var(--warn-back); color: var(--warn) }
label { display: flex; gap: .5rem; align-items: baseline; margin: 1.25rem 0 0 }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button, a.button { flex: 1 1 10rem; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--strong); border-radius: .5rem; background: transparent; color: var(--strong); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
button.allow, a.button { background: var(--strong); color: var(--on-strong) }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px }
`;
/** The hash covers every character between the tags. */
const styleElement = new Html(`<style>${style}</style>`);

/** The text of a page. */
export interface PageText {
  readonly title: string;
  readonly content: Html;
  /** A URL that the browser visits at once, after a form: a redirect would be part of the submission. */
  readonly next?: string;
}

/**
 * The headers of all pages: no scripts, no frames, no caches, no referrer; forms go to this origin only.
 * @param styleHash the SHA-256 digest of `style`, as base64
 */
export function headersWith(styleHash: string): Readonly<Record<string, string>> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
  };
}

/** Returns the text of a page. */
export function renderPage({ title, content, next }: PageText): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${next === undefined ? undefined : html`<meta http-equiv="refresh" content="0; url=${next}" />`}
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;
}
