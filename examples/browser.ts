import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium, flags } from "../scripts/hosts/find-chromium.js";

/** A user with a headless Chromium, who logs in and agrees to everything. */
export class BrowserUser {
  readonly #context: BrowserContext;
  readonly #visits: Promise<void>[] = [];

  private constructor(
    readonly name: string,
    readonly browser: Browser,
    context: BrowserContext,
    readonly print: (line: string) => void,
  ) {
    this.#context = context;
  }

  /** @param print receives a line for each page on which the user clicks */
  static async start(name: string, print: (line: string) => void): Promise<BrowserUser> {
    const browser = await chromium.launch({ executablePath: findChromium(), args: [...flags] });
    const context = await browser.newContext();
    // The pages for development refer to a font that is not on this computer.
    await context.route(
      ({ hostname }) => hostname !== "127.0.0.1",
      (route) => route.abort(),
    );
    return new BrowserUser(name, browser, context, print);
  }

  /** Opens a page, as the option `openUrl` of `InteractiveProvider` does it; the clicks follow. */
  readonly open = async (url: URL): Promise<boolean> => {
    const page = await this.#context.newPage();
    await page.goto(url.href);
    this.#visits.push(this.#answer(page));
    return true;
  };

  /** Waits for the clicks. @throws when a page does not have the expected buttons */
  async close(): Promise<void> {
    try {
      await Promise.all(this.#visits);
    } finally {
      await this.browser.close();
    }
  }

  async #answer(page: Page): Promise<void> {
    for (;;) {
      const button = page.getByRole("button");
      if ((await button.count()) === 0) return;
      const text = await button.first().innerText();
      const before = page.url();
      this.print(`${this.name} clicks "${text}" at ${new URL(before).host}`);
      if (text === "Sign-in") {
        await page.getByPlaceholder("Enter any login").fill(this.name);
        await page.getByPlaceholder("and password").fill("any");
      }
      const left = page.waitForURL((now) => now.href !== before);
      await button.first().click();
      await left;
    }
  }
}
