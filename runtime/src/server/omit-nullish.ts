type NonNullishMembers<Members> = { [Key in keyof Members]?: Exclude<Members[Key], null | undefined> };

/** Returns the members that are neither null nor undefined. */
export function omitNullish<Members extends object>(members: Members): NonNullishMembers<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as NonNullishMembers<Members>;
}
