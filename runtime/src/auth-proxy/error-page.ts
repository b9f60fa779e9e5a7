/** Headers of pages without scripts, which no other site may frame. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
};

/** A page that explains to a user why an authorization request was refused; the client could not be redirected to. */
export function errorPage(error: string, description: string | undefined): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Log-in failed</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>
</head>
<body>
<h1>Log-in failed</h1>
<p>The application that sent you here made a request that this server refuses.</p>
<p><code>${escapeHtml(error)}</code>${description === undefined ? "" : `: ${escapeHtml(description)}`}</p>
<p>Close this page and return to the application.</p>
</body>
</html>
`;
}

/** Makes a text safe in HTML, as content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
