/** What every registered item can do. */
export interface Registered<Config> {
  readonly enabled: boolean;
  /** Offers it again. */
  enable(): void;
  /** Does as if it were not there, until it is enabled. */
  disable(): void;
  /** Changes what is given and keeps the rest; a new `name` (or `uri`) moves it. Clients are told that the list changed. */
  update(changes: Partial<Config>): void;
  /** Takes it away for good: nothing that is done to it later has an effect. */
  remove(): void;
}
