/**
 * Lets all who wait in one turn of the event loop go on together, at its end. Requests that came together are answered
 * together then, and sending an answer costs little while the client is still awake from the one before.
 */
export function onceATurn(): () => Promise<void> {
  let end: Promise<void> | null = null;
  return () => {
    end ??= new Promise((resolve) =>
      setImmediate(() => {
        end = null;
        resolve();
      }),
    );
    return end;
  };
}
