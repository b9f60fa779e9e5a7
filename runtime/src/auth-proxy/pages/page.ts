import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { html } from "../../pages/html.js";
import { headersWith, type PageText, renderPage, style } from "../../pages/render-page.js";

const styleHash = createHash("sha256").update(style).digest("base64");
/** What a page consists of. */
export interface Page extends PageText {
  readonly status: number;
  readonly cookies?: readonly string[];
}

export const pageHeaders = headersWith(styleHash);

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
