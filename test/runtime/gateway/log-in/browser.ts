import type { FakeNetwork } from "../../auth/fake-network.js";

/** What a browser shows. */
export interface Shown {
  readonly status: number;
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
}

const next = /<meta http-equiv="refresh" content="0; url=([^"]+)"/;
const form = /<form method="post" action="([^"]+)"/;

/** Follows redirects, keeps the cookies of hosts with the prefix `__Host-`, and presses buttons; without a network. */
export class Browser {
  /** By issuer, who is logged in there. */
  readonly users = new Map<string, string>();
  readonly cookies = new Map<string, string>();
  /** All URLs that it has visited. */
  readonly visited: URL[] = [];

  /** @param visiting is called before each request */
  constructor(
    readonly network: FakeNetwork,
    readonly visiting: (browser: Browser) => void,
  ) {}

  /** Visits a URL, and follows redirects. @param stopAt stops before a URL that contains it */
  async open(url: string | URL, stopAt?: string): Promise<Shown> {
    return this.#follow(new URL(url), "GET", stopAt);
  }

  /** Opens a link of the gateway, presses the button, and logs in wherever it is asked to. */
  async logIn(link: string, stopAt?: string): Promise<Shown> {
    const asked = await this.open(link);
    return asked.status === 200 ? this.press(asked, stopAt) : asked;
  }

  press({ text, url }: Shown, stopAt?: string): Promise<Shown> {
    const action = unescapeHtml(form.exec(text)?.[1] ?? "");
    if (action === "") throw new Error(`no form: ${text}`);
    return this.#follow(new URL(action, url), "POST", stopAt);
  }

  async #follow(start: URL, method: string, stopAt: string | undefined): Promise<Shown> {
    let url = start;
    let sent = method;
    for (let count = 0; count < 20; count++) {
      this.visited.push(url);
      this.visiting(this);
      const cookie = this.#cookiesFor(url);
      const headers: Record<string, string> = {
        ...(cookie !== "" && { cookie }),
        ...(sent === "POST" && { "sec-fetch-site": "same-origin" }),
      };
      const response = await this.network.fetch(url, { method: sent, headers, redirect: "manual" });
      this.#keep(url, response);
      const text = await response.text();
      const location = response.headers.get("location") ?? unescapeHtml(next.exec(text)?.[1] ?? "");
      if (location === "" || (stopAt !== undefined && location.includes(stopAt)))
        return {
          status: response.status,
          url: location === "" ? url : new URL(location, url),
          text,
          headers: response.headers,
        };
      url = new URL(location, url);
      sent = "GET";
    }
    throw new Error(`too many redirects at ${url.href}`);
  }

  #cookiesFor({ origin }: URL): string {
    return [...this.cookies]
      .filter(([name]) => name.startsWith(`${origin} `))
      .map(([name, value]) => `${name.slice(origin.length + 1)}=${value}`)
      .join("; ");
  }

  #keep({ origin, protocol }: URL, response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = "", attributes = ""] = /^([^=]+)=([^;]*);(.*)$/.exec(cookie) ?? [];
      // What a browser demands of the prefix.
      if (
        !name.startsWith("__Host-") ||
        protocol !== "https:" ||
        !attributes.includes("Path=/;") ||
        !/; ?Secure/.test(attributes)
      )
        throw new Error(`not a cookie of the host: ${cookie}`);
      if (attributes.includes("Max-Age=0")) this.cookies.delete(`${origin} ${name}`);
      else this.cookies.set(`${origin} ${name}`, value);
    }
  }
}

function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}
