import type { ServerResponse } from "node:http";

/** A page that the user sees after the authorization page. */
export interface CallbackPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** The page at the end of a log-in. @param outcome of the token exchange */
export function outcomePage(outcome: "success" | Error, clientName: string | undefined): CallbackPage {
  if (outcome === "success")
    return {
      status: 200,
      title: "You are logged in",
      text: `You can close this page and return to ${clientName ?? "the application"}.`,
    };
  const isDenied = (outcome as { readonly reason?: unknown }).reason === "denied";
  return {
    status: isDenied ? 200 : 400,
    title: isDenied ? "You were not logged in" : "The log-in has failed",
    text: `${outcome.message.slice(0, 1_000)}. You can close this page and return to ${clientName ?? "the application"}.`,
  };
}

/**
 * Sends a page without scripts, which no cache keeps, no other site can embed, and whose URL, with the authorization code, is not
 * passed on.
 */
export function sendPage(response: ServerResponse, { status, title, text }: CallbackPage): void {
  if (response.headersSent || response.destroyed) return;
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</html>
`;
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(body);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}
