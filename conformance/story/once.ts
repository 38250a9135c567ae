/** Finds something out once for each subject: it is asked for with each of the calls alike. */
export function once<Subject extends object, Found>(find: (subject: Subject) => Found): (subject: Subject) => Found {
  const known = new WeakMap<Subject, Found>();
  return (subject) => {
    const found = known.get(subject) ?? find(subject);
    known.set(subject, found);
    return found;
  };
}
