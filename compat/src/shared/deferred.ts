const traps = [
  "defineProperty",
  "deleteProperty",
  "get",
  "getOwnPropertyDescriptor",
  "has",
  "isExtensible",
  "ownKeys",
  "preventExtensions",
  "set",
  "setPrototypeOf",
] as const satisfies readonly (keyof ProxyHandler<object>)[];

/** Returns a frozen object that gets its members when a program first reads it. */
export function deferred<T extends object>(membersOf: () => T): T {
  const fill = (target: object): void => {
    if (Object.isExtensible(target)) Object.freeze(Object.assign(target, membersOf()));
  };
  const handler = traps.map((trap) => [
    trap,
    (target: object, ...rest: readonly unknown[]): unknown => {
      fill(target);
      return Reflect.apply(Reflect[trap], undefined, [target, ...rest]);
    },
  ]);
  return new Proxy({}, Object.fromEntries(handler) as ProxyHandler<object>) as T;
}
