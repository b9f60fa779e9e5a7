/** A user in headless Chromium, who clicks through the log-in and consent pages. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium, flags } from "../../scripts/hosts/find-chromium.js";
import type { UserOptions } from "./form-user.js";

/** Starts the browser that all users share. @param more options of the command line */
export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...flags, ...more] });
}

export class BrowserUser {
  /** The open pages, in order of opening. */
  readonly pages: Page[] = [];
  #context: Promise<BrowserContext> | undefined;

  /** Each user has cookies of its own. */
  constructor(
    readonly browser: Browser,
    readonly options: UserOptions = {},
  ) {}

  /** Opens the page and answers all questions. @returns the text of the page that is shown at the end */
  async visit(url: URL | string): Promise<string> {
    const page = await this.open(url);
    await this.answer(page);
    return (await page.textContent("body"))?.trim() ?? "";
  }

  /** Answers all questions of authorization servers: those of oidc-provider, and those of an OAuth proxy. */
  async answer(page: Page): Promise<void> {
    const asks = ({ pathname }: URL): boolean => /^\/(interaction|consent)\//.test(pathname);
    for (let before = page.url(); asks(new URL(before)); before = page.url()) {
      const left = page.waitForURL((now) => now.href !== before);
      await this.#answerOne(page);
      await left;
    }
  }

  /** Opens the page and does nothing. */
  async open(url: URL | string): Promise<Page> {
    const page = await (await this.#start()).newPage();
    this.pages.push(page);
    await page.goto(String(url));
    return page;
  }

  async close(): Promise<void> {
    await (await this.#context)?.close();
  }

  async #answerOne(page: Page): Promise<void> {
    const { login = "ada", refuses = false } = this.options;
    if (new URL(page.url()).pathname.startsWith("/consent/"))
      await page.getByRole("button", { name: refuses ? "Deny" : "Allow" }).click();
    else if ((await page.getByRole("button", { name: "Sign-in" }).count()) > 0) {
      await page.getByPlaceholder("Enter any login").fill(login);
      await page.getByPlaceholder("and password").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
    } else if (refuses) await page.getByRole("link", { name: "Cancel" }).click();
    else await page.getByRole("button", { name: "Continue" }).click();
  }

  #start(): Promise<BrowserContext> {
    this.#context ??= this.browser.newContext().then(async (context) => {
      // The pages refer to a font that is not on this computer.
      await context.route(
        ({ hostname }) => hostname !== "127.0.0.1" && hostname !== "localhost",
        (route) => route.abort(),
      );
      return context;
    });
    return this.#context;
  }
}
