import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Html, html } from "./html.js";

/** Readable at any width, in light and dark; without fonts, images or scripts. */
const style = `
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
const styleHash = createHash("sha256").update(style).digest("base64");
/** The hash covers every character between the tags. */
const styleElement = new Html(`<style>${style}</style>`);

/** What a page consists of. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly content: Html;
  /** A URL that the browser visits at once, after a form: see `sendContinue`. */
  readonly next?: string;
  readonly cookies?: readonly string[];
}

/** The headers of all pages: no scripts, no frames, no caches, no referrer; forms go to this origin only. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** Returns the text of a page. */
export function renderPage({ title, content, next }: Pick<Page, "title" | "content" | "next">): string {
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

export function sendPage(response: ServerResponse, page: Page): void {
  const { status, cookies = [] } = page;
  const text = renderPage(page);
  response.writeHead(status, {
    ...pageHeaders,
    ...(cookies.length > 0 && { "set-cookie": [...cookies] }),
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** A page that leads a user out of a log-in that cannot go on. */
export function sendProblem(
  response: ServerResponse,
  status: number,
  problem: string,
  cookies?: readonly string[],
): void {
  const content = html`<p>${problem}</p>
    <p>Return to the application that sent you here, and start the log-in again.</p>`;
  sendPage(response, { status, title: "The log-in cannot go on", content, ...(cookies && { cookies }) });
}

/**
 * Sends the browser on after it has posted a form. A redirect would be part of the submission, which browsers check against
 * `form-action`, for all redirects that follow at other sites; the page starts a navigation of its own instead.
 */
export function sendContinue(
  response: ServerResponse,
  title: string,
  url: string,
  cookies: readonly string[] = [],
): void {
  const content = html`<p>Your browser goes on by itself. If it does not, use this link.</p>
    <div class="buttons"><a class="button" id="continue" href="${url}" rel="noreferrer">Continue</a></div>`;
  sendPage(response, { status: 200, title, content, next: url, cookies });
}

/** Redirects a browser that has not posted a form. */
export function sendRedirect(response: ServerResponse, url: string, cookies: readonly string[] = []): void {
  response.writeHead(303, {
    location: url,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-length": "0",
    ...(cookies.length > 0 && { "set-cookie": [...cookies] }),
  });
  response.end();
}
