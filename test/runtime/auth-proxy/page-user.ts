/** A user of the proxy's pages and of the provider's, without a browser: follows redirects and posts forms, with cookies per host. */

export interface LoadedPage {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How far redirects are followed. */
export interface Travel {
  /** Called with each URL before it is loaded; the travel ends there when it returns true. */
  readonly until?: (url: URL) => boolean;
}

const clientOrigin = "http://127.0.0.1:9";

export class PageUser {
  /** By host and name; `Path` is taken into account. */
  readonly cookies = new Map<string, { readonly value: string; readonly path: string; readonly attributes: string }>();

  /** Loads a page: follows redirects, and the links with which a page goes on by itself. Ends before the page of the client. */
  async open(page: URL | string, { until = (url) => url.origin === clientOrigin }: Travel = {}): Promise<LoadedPage> {
    let url = new URL(page);
    for (let steps = 0; steps < 20; steps++) {
      if (until(url)) return { url, status: 0, headers: new Headers(), text: "" };
      const loaded = await this.load(url);
      const next = loaded.headers.get("location") ?? refreshOf(loaded.text);
      if (next === undefined) return loaded;
      url = new URL(next, url);
    }
    throw new Error("the redirects do not end");
  }

  /** Posts the form of a page as a browser does, and goes on. */
  async submit(page: LoadedPage, values: Readonly<Record<string, string>>, travel?: Travel): Promise<LoadedPage> {
    const action = /<form [^>]*action="([^"]+)"/.exec(page.text)?.[1];
    const body = new URLSearchParams(hiddenOf(page.text));
    for (const [name, value] of Object.entries(values)) body.set(name, value);
    const url = new URL(action ?? page.url, page.url);
    const loaded = await this.load(url, { method: "POST", body });
    const next = loaded.headers.get("location") ?? refreshOf(loaded.text);
    return next === undefined ? loaded : this.open(new URL(next, url), travel);
  }

  /** Logs in at the provider, and consents there. */
  async logIn(page: LoadedPage, login = "ada", travel?: Travel): Promise<LoadedPage> {
    let at = page;
    while (/name="prompt" value="(login|consent)"/.test(at.text))
      at = await this.submit(at, { login, password: "any" }, travel);
    return at;
  }

  /** Sends one request. */
  async load(url: URL | string, init: RequestInit = {}): Promise<LoadedPage> {
    const at = new URL(url);
    const headers = new Headers(init.headers);
    const cookie = [...this.cookies]
      .filter(([key, { path }]) => key.startsWith(`${at.host} `) && isBelow(at.pathname, path))
      .map(([key, { value }]) => `${key.slice(at.host.length + 1)}=${value}`)
      .join("; ");
    if (cookie !== "") headers.set("cookie", cookie);
    const response = await fetch(at, { redirect: "manual", ...init, headers });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      const path = /; path=([^;]+)/i.exec(text)?.[1] ?? "/";
      const key = `${at.host} ${name}`;
      if (value === "" || /max-age=0\b/i.test(text)) this.cookies.delete(key);
      else this.cookies.set(key, { value, path, attributes: text });
    }
    return { url: at, status: response.status, headers: response.headers, text: await response.text() };
  }
}

/** The link with which a page goes on by itself. */
function refreshOf(html: string): string | undefined {
  return /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(html)?.[1]?.replaceAll("&#38;", "&");
}

function hiddenOf(html: string): [string, string][] {
  return [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
