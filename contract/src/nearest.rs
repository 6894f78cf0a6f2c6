//! The known word that somebody meant who wrote another one.

/// Longer words are nobody's typing mistake.
const LONGEST: usize = 64;

/// The known word that is closest to this one, where one is close: about one letter in three may differ. Case and the
/// kind of dash do not count.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if word.chars().nth(LONGEST).is_some() {
        return None;
    }
    let word = letters(word);
    known
        .into_iter()
        .map(|known| (distance(&word, &letters(known)), known))
        .filter(|(distance, known)| *distance <= (word.len().min(known.len()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

fn letters(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c }).collect()
}

/// Letters to insert, drop, change, or swap with their neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[other.len()]
}
