import type { Sender } from "../delivery/send-attempt.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";

/** What the server reaches everything outside itself through. */
export interface Ports {
  readonly store: Store;
  readonly sender: Sender;
  readonly world: World;
}

/** Puts others in their place, most of whose methods are theirs; what they remember they remember for one server. */
export type Decorate = (ports: Ports) => Ports;

/** The same object but for these members. Methods of the original keep it as their `this`. */
export function withMembers<T extends object>(original: T, members: Partial<T>): T {
  return new Proxy(original, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
