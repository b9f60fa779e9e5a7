/** What the test calls in the page of an app, whichever library the app uses. */
export interface AppDriver {
  /** What the app has received, in order. */
  readonly events: readonly unknown[];
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  openLink(url: string): Promise<unknown>;
  send(text: string): Promise<unknown>;
  updateContext(text: string): Promise<unknown>;
  show(mode: "inline" | "fullscreen"): Promise<unknown>;
  log(text: string): Promise<unknown>;
  leave(): Promise<unknown>;
}

/** What the test calls in the page of a host. */
export interface HostDriver {
  readonly events: readonly unknown[];
  /** Shows an app. @returns when it is ready */
  open(options: OpenOptions): Promise<void>;
  partial(args: Record<string, unknown>): void;
  input(args: Record<string, unknown>): void;
  result(text: string): void;
  cancelled(reason: string): void;
  theme(theme: "light" | "dark"): void;
  /** Removes the app. @returns whether it has answered */
  close(): Promise<boolean>;
}

export interface OpenOptions {
  readonly html: string;
  readonly sandboxUrl: string;
  readonly csp?: Record<string, string[]>;
  readonly asks?: Record<string, object>;
  readonly grants?: Record<string, object>;
  readonly refuses?: boolean;
  readonly limits?: Record<string, number>;
  readonly appSandbox?: string;
  /** Does not wait until the app is ready. */
  readonly hasty?: boolean;
}

declare global {
  var driver: AppDriver & HostDriver;
}
