// How long a page may take. One that takes longer is lost, and no other with it.

export const PATIENCE = Number(process.env.ACCURACY_PAGE_SECONDS ?? 180) * 1000;

/** What comes of `work`, or an error when it takes too long. */
export async function within(milliseconds, work) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`took more than ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
