type Present<Members> = { [Key in keyof Members]?: Exclude<Members[Key], null | undefined> };

/** The members that have a value. */
export function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<Members>;
}
