/** Values that are made when somebody first asks for them, and shared by all who ask. */
export interface Shared<Key, Value> {
  /**
   * The value of a key, made by `make` where there is none yet. A failure is kept for nobody: it is thrown to the asker
   * whose `make` it was, and whoever waited for the value meanwhile makes it anew.
   */
  get(key: Key, make: () => Promise<Value>): Promise<Value>;
}

export function newShared<Key, Value>(): Shared<Key, Value> {
  const values = new Map<Key, Promise<Value>>();
  return {
    async get(key, make) {
      for (let known = values.get(key); known !== undefined; known = values.get(key)) {
        const made = await known.then(
          (value) => ({ value }),
          () => null,
        );
        if (made !== null) return made.value;
        if (values.get(key) === known) values.delete(key);
      }
      const making = make();
      values.set(key, making);
      try {
        return await making;
      } catch (error) {
        if (values.get(key) === making) values.delete(key);
        throw error;
      }
    },
  };
}
