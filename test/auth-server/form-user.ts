/** A user of the log-in and consent pages without a browser: follows redirects, and posts forms. */

export interface UserOptions {
  /** The name with which the user logs in. Default: `"ada"`. */
  readonly login?: string;
  /** Whether the user refuses instead of consenting. Default: false. */
  readonly refuses?: boolean;
}

export class FormUser {
  readonly #cookies = new Map<string, string>();

  constructor(readonly options: UserOptions = {}) {}

  /**
   * Logs in if asked, and answers the consent pages: those of oidc-provider, and those of an OAuth proxy.
   * @returns the URL of the client that the server redirects to
   */
  async authorize(page: URL | string): Promise<URL> {
    let url = new URL(page);
    const redirectUri = url.searchParams.get("redirect_uri");
    if (redirectUri === null) throw new Error(`${url.href} has no redirect_uri`);
    let form: URLSearchParams | undefined;
    for (let steps = 0; steps < 20; steps++) {
      const response = await this.#send(url, form);
      const location = response.headers.get("location");
      if (location === null) [url, form] = this.#answer(await response.text(), url);
      else [url, form] = [new URL(location, url), undefined];
      if (url.href.startsWith(redirectUri)) return url;
    }
    throw new Error(`the pages from ${String(page)} on lead nowhere`);
  }

  /** As a browser: also loads the page of the client. @returns its text */
  async visit(page: URL | string): Promise<string> {
    return (await fetch(await this.authorize(page))).text();
  }

  #answer(html: string, url: URL): [URL, URLSearchParams | undefined] {
    const [, next] = /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(html) ?? [];
    if (next !== undefined) return [new URL(next.replaceAll("&#38;", "&"), url), undefined];
    const [, csrf] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
    const decision = this.options.refuses === true ? "deny" : "allow";
    if (csrf !== undefined) return [url, new URLSearchParams({ csrf, decision })];
    const [, action] = /<form [^>]*action="([^"]+)"/.exec(html) ?? [];
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
    const [, cancel] = /href="([^"]+)">\[ Cancel \]/.exec(html) ?? [];
    if (action === undefined || prompt === undefined || cancel === undefined) throw new Error(html);
    if (prompt === "consent" && this.options.refuses === true) return [new URL(cancel, url), undefined];
    const login = this.options.login ?? "ada";
    return [new URL(action, url), new URLSearchParams({ prompt, login, password: "any" })];
  }

  async #send(url: URL, body: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, {
      method: body ? "POST" : "GET",
      redirect: "manual",
      headers: { cookie },
      ...(body && { body }),
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}
