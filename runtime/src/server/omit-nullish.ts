type NonNullishMembers<Members> = { [Key in keyof Members]?: Exclude<Members[Key], null | undefined> };

/** The members that have a value. */
export function omitNullish<Members extends object>(members: Members): NonNullishMembers<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as NonNullishMembers<Members>;
}
