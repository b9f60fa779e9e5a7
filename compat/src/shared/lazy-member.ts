/**
 * Returns the descriptor of a member that is computed when it is first read, and that copies of its object have, too. Objects share
 * it: one that is written as `get` in an object literal makes a layout of its own for each object, which takes a microsecond.
 */
export function lazyMember<Owner extends object>(
  name: keyof Owner,
  compute: (owner: Owner) => unknown,
): PropertyDescriptor & ThisType<Owner> {
  const define = (owner: Owner, value: unknown): void =>
    void Object.defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  return {
    configurable: true,
    enumerable: true,
    get() {
      const value = compute(this);
      define(this, value);
      return value;
    },
    set(value: unknown) {
      define(this, value);
    },
  };
}
