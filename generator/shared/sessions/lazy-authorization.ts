import { existsSync } from "node:fs";
import type { AuthProvider } from "@mcpwright/runtime/client/http";
import type { Login } from "./login-provider.js";

type Parts<Name extends keyof AuthProvider> = Parameters<NonNullable<AuthProvider[Name]>>;

/** Loads the code of log-ins when a server requires one, or when there are credentials: most servers need neither. */
export class LazyAuthorization implements AuthProvider {
  #loading: Promise<Login> | undefined;
  #loaded: Login | undefined;

  /**
   * @param credentials the file that exists after a log-in
   * @param load creates the provider
   */
  constructor(
    readonly credentials: string,
    readonly load: () => Promise<Login>,
  ) {}

  async token(...use: Parts<"token">): Promise<string | undefined> {
    if (!this.#loading && !existsSync(this.credentials)) return undefined;
    const { provider } = await this.#login();
    return provider.token(...use);
  }

  async headers(...request: Parts<"headers">): Promise<Readonly<Record<string, string>>> {
    const { provider } = await this.#login();
    return provider.headers(...request);
  }

  onResponse(...response: Parts<"onResponse">): void {
    this.#loaded?.provider.onResponse(...response);
  }

  async onUnauthorized(...challenge: Parts<"onUnauthorized">): Promise<boolean> {
    const { provider, save } = await this.#login();
    const isAgain = await provider.onUnauthorized(...challenge);
    await save();
    return isAgain;
  }

  /** Ends a log-in in progress. */
  async close(): Promise<void> {
    await this.#loaded?.provider.close();
  }

  async #login(): Promise<Login> {
    this.#loading ??= this.load();
    return (this.#loaded = await this.#loading);
  }
}
