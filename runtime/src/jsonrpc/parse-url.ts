/**
 * Returns the URL, or undefined if the text is not one. `URL.canParse` cannot be used: as soon as Node 20 has compiled its
 * caller to machine code, it rejects hosts such as `münchen.example`, whose letters are all in Latin-1.
 */
export function parseUrl(text: string | URL, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
