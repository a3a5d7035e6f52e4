//! Waits for several things at once, on one thread.

use std::pin::Pin;
use std::task::Poll;

/// The results of these futures in their order, at most so many of them at work at once.
pub(super) async fn together<F: Future>(most: usize, futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut waiting = futures.into_iter().enumerate().fuse();
    let mut working: Vec<(usize, Pin<Box<F>>)> = Vec::new();
    let mut done: Vec<(usize, F::Output)> = Vec::new();
    std::future::poll_fn(|context| {
        loop {
            let room = most.max(1).saturating_sub(working.len());
            working.extend(waiting.by_ref().take(room).map(|(place, future)| (place, Box::pin(future))));
            if working.is_empty() {
                return Poll::Ready(());
            }
            let before = done.len();
            working.retain_mut(|(place, future)| match future.as_mut().poll(context) {
                Poll::Ready(result) => {
                    done.push((*place, result));
                    false
                }
                Poll::Pending => true,
            });
            // Whoever takes a place that became free has to be asked once, or nobody wakes us for it.
            if done.len() == before {
                return Poll::Pending;
            }
        }
    })
    .await;
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn results_keep_their_order_and_few_are_at_work_at_once() {
        let (now, most) = (Cell::new(0_usize), Cell::new(0_usize));
        let (now, most) = (&now, &most);
        let one = |number: usize| async move {
            now.set(now.get() + 1);
            most.set(most.get().max(now.get()));
            // Later ones are done sooner.
            for _ in 0..20 - number {
                tokio::task::yield_now().await;
            }
            now.set(now.get() - 1);
            number
        };
        let results = together(3, (0..20).map(one)).await;
        assert_eq!(results, (0..20).collect::<Vec<_>>());
        assert_eq!(most.get(), 3);
    }

    #[tokio::test]
    async fn nothing_and_one_at_a_time_are_fine() {
        assert_eq!(together(4, Vec::<std::future::Ready<u8>>::new()).await, Vec::<u8>::new());
        assert_eq!(together(0, [std::future::ready(1), std::future::ready(2)]).await, [1, 2]);
    }
}
