import { html } from "../pages/html.js";
import { renderPage } from "../pages/render-page.js";

/** A page that explains to a user why an authorization request was refused; the client could not be redirected to. */
export function errorPage(error: string, description: string | undefined): string {
  return renderPage({
    title: "The log-in cannot go on",
    content: html`<p>The application that sent you here made a request that this server refuses.</p>
      <p><code>${error}</code>${description === undefined ? "" : `: ${description}`}</p>
      <p>Close this page and return to the application.</p>`,
  });
}
