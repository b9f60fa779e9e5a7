import { displayText, html } from "../../pages/html.js";
import { headersWith, type PageText, renderPage, style } from "../../pages/render-page.js";
import type { LogInTarget } from "./server-log-in.js";

let pageHeaders: Promise<Readonly<Record<string, string>>> | undefined;

async function headersOfPages(): Promise<Readonly<Record<string, string>>> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  return headersWith(btoa(String.fromCharCode(...new Uint8Array(digest))));
}

async function page(status: number, text: PageText, cookies: readonly string[] = []): Promise<Response> {
  // The digest is made with the first page: some hosts compute nothing before.
  const headers = new Headers(await (pageHeaders ??= headersOfPages()));
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(renderPage(text), { status, headers });
}

/** Asks whether to log in. @param action what the form posts to */
export function startPage({ name, url }: LogInTarget, gateway: string, action: string): Promise<Response> {
  const server = displayText(name, 80);
  return page(200, {
    title: `Log in to ${server}`,
    content: html`<p>
        An application that you use wants to use the server <strong>${server}</strong> through ${gateway}.
      </p>
      <dl>
        <div>
          <dt>Server</dt>
          <dd class="host">${url.host}</dd>
        </div>
      </dl>
      <p>
        First, log in to ${gateway}, so that no other user can use this link. Then log in at the server, and allow the
        access.
      </p>
      <p class="warning">Go on only if you have just asked for this log-in yourself.</p>
      <form method="post" action="${action}">
        <div class="buttons"><button class="allow" id="continue">Continue</button></div>
      </form>`,
  });
}

/** Sends the browser on after it has posted a form. A redirect would be part of the submission, which `form-action` forbids. */
export function continuePage(url: URL, cookies: readonly string[]): Promise<Response> {
  const content = html`<p>Your browser goes on by itself. If it does not, use this link.</p>
    <div class="buttons"><a class="button" id="next" href="${url.href}" rel="noreferrer">Continue</a></div>`;
  return page(200, { title: "Log in", content, next: url.href }, cookies);
}

export function donePage({ name }: LogInTarget, cookies: readonly string[]): Promise<Response> {
  const server = displayText(name, 80);
  const content = html`<p>
    Return to your application: it can use <strong>${server}</strong> now. You can close this page.
  </p>`;
  return page(200, { title: `You are logged in to ${server}`, content }, cookies);
}

/** A page that leads a user out of a log-in that cannot go on. */
export function problemPage(status: number, problem: string, cookies?: readonly string[]): Promise<Response> {
  const content = html`<p>${displayText(problem, 500)}</p>
    <p>Return to your application, and start the log-in again there if you still need it.</p>`;
  return page(status, { title: "The log-in cannot go on", content }, cookies);
}

/** Redirects a browser that has not posted a form. */
export function redirect(url: URL, cookies: readonly string[]): Response {
  const headers = new Headers({
    location: url.href,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
