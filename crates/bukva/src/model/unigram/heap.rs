//! A priority queue that gives equal priorities in the order in which the C++ standard library does, for SentencePiece
//! uses that one, and the order of n-best lists with equal sums follows from it.

/// The queue: priorities with the numbers of hypotheses, as a binary heap.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    heap: Vec<(f64, usize)>,
}

impl Agenda {
    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Adds a hypothesis. O(log n).
    pub(super) fn push(&mut self, priority: f64, number: usize) {
        let hole = self.heap.len();
        self.heap.push((priority, number));
        self.rise(hole, (priority, number));
    }

    /// Takes the hypothesis of the highest priority. O(log n).
    pub(super) fn pop(&mut self) -> Option<usize> {
        let last = self.heap.pop()?;
        let Some(&top) = self.heap.first() else { return Some(last.1) };
        // The hole sinks to the bottom by the higher child, the right one among equals, and the last item rises there.
        let (length, mut hole) = (self.heap.len(), 0);
        while 2 * hole + 2 < length {
            let right = 2 * hole + 2;
            let child = if self.heap[right].0 < self.heap[right - 1].0 { right - 1 } else { right };
            self.heap[hole] = self.heap[child];
            hole = child;
        }
        if 2 * hole + 2 == length {
            self.heap[hole] = self.heap[length - 1];
            hole = length - 1;
        }
        self.rise(hole, last);
        Some(top.1)
    }

    /// Forgets all but the `count` highest.
    pub(super) fn keep(&mut self, count: usize) {
        let mut kept = Agenda::default();
        for _ in 0..count.min(self.len()) {
            let priority = self.heap[0].0;
            if let Some(number) = self.pop() {
                kept.push(priority, number);
            }
        }
        *self = kept;
    }

    fn rise(&mut self, mut hole: usize, item: (f64, usize)) {
        while hole > 0 {
            let parent = (hole - 1) / 2;
            if self.heap[parent].0 >= item.0 {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = item;
    }
}
