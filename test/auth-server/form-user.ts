/** A user of the pages for log-ins and consent without a browser: follows redirects, and posts forms. */

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
      if (location === null) [url, form] = this.#answerForm(await response.text(), url);
      else [url, form] = [new URL(location, url), undefined];
      if (url.href.startsWith(redirectUri)) return url;
    }
    throw new Error(`the pages from ${String(page)} on lead nowhere`);
  }

  /** As a browser: also loads the page of the client. @returns its text */
  async visit(page: URL | string): Promise<string> {
    return (await fetch(await this.authorize(page))).text();
  }

  /** Opens the link of a gateway to a log-in, and goes on to the last page. @returns its text */
  async open(link: string): Promise<string> {
    let url = new URL(link);
    let form: URLSearchParams | undefined;
    for (let steps = 0; steps < 40; steps++) {
      const response = await this.#send(url, form);
      const location = response.headers.get("location");
      const html = await response.text();
      const next = location === null ? this.#answer(html, url) : ([new URL(location, url), undefined] as const);
      if (!next) return html;
      [url, form] = next;
    }
    throw new Error(`the pages from ${link} on do not end`);
  }

  #answerForm(html: string, url: URL): [URL, URLSearchParams | undefined] {
    const answer = this.#answer(html, url);
    if (!answer) throw new Error(html);
    return answer;
  }

  /** @returns undefined for a page without a question */
  #answer(html: string, url: URL): [URL, URLSearchParams | undefined] | undefined {
    const [, next] = /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(html) ?? [];
    if (next !== undefined) return [new URL(next.replaceAll("&#38;", "&"), url), undefined];
    const [, begin] =
      /<form method="post" action="([^"]+)">\s*<div class="buttons"><button class="allow" id="continue">/.exec(html) ??
      [];
    if (begin !== undefined) return [new URL(begin.replaceAll("&#38;", "&"), url), new URLSearchParams()];
    const [, csrf] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
    const decision = this.options.refuses === true ? "deny" : "allow";
    if (csrf !== undefined) return [url, new URLSearchParams({ csrf, decision })];
    const [, action] = /<form [^>]*action="([^"]+)"/.exec(html) ?? [];
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
    const [, cancel] = /href="([^"]+)">\[ Cancel \]/.exec(html) ?? [];
    if (action === undefined || prompt === undefined || cancel === undefined) return undefined;
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
