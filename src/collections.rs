//! Maps, sets and a sort that cost the download little.
//!
//! The ones of the standard library are fast on millions of entries, and compile to kilobytes of
//! code for every type they hold; ours hold tens, at times some thousands. So a map is a list
//! sorted by key, and sorting is insertion by binary search, compiled once for all types. As in
//! `BTreeMap`, the order of iteration is the order of keys.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::{fmt, iter, slice, vec};

/// What an entry of a map is looked at as, one after the other.
type List<'a, K, V, Item> = iter::Map<slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> Item>;

/// A map in the order of its keys.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Map<K, V>(Vec<(K, V)>);

/// The place of a key in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut Map<K, V>,
    key: K,
}

/// A set in order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Set<K>(Map<K, ()>);

impl<K, V> Map<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Its entries in the order of keys.
    pub fn iter(&self) -> List<'_, K, V, (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Its entries in the order of keys, the values to change.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Its keys in order.
    pub fn keys(&self) -> List<'_, K, V, &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// Its values in the order of keys.
    pub fn values(&self) -> List<'_, K, V, &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Its values in the order of keys, to change.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Keeps only the entries that pass.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }
}

impl<K: Ord, V> Map<K, V> {
    /// The place of a key, or where it would go.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(own, _)| own.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// The value of a key, to change.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// Whether it has the key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Sets the value of a key; gives the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// The place of a key, to fill if it is empty.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }

    /// Forgets a key; gives the value it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        Some(self.0.remove(place).1)
    }

    /// Takes away the key and all after it, as a map of their own.
    pub fn split_off(&mut self, key: &K) -> Self {
        let (Ok(place) | Err(place)) = self.place(key);
        Self(self.0.split_off(place))
    }
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// What the key has, made first if it has nothing.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        let list = &mut self.map.0;
        let place = match list.binary_search_by(|(own, _)| own.cmp(&self.key)) {
            Ok(place) => place,
            Err(place) => {
                list.insert(place, (self.key, make()));
                place
            }
        };
        &mut list[place].1
    }

    /// What the key has, which becomes `value` if it has nothing.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// What the key has, which becomes the default if it has nothing.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|(key, value)| {
            self.insert(key, value);
        });
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K> Set<K> {
    /// An empty set.
    pub const fn new() -> Self {
        Self(Map::new())
    }

    /// How many members it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its members in order.
    pub fn iter(&self) -> List<'_, K, (), &K> {
        self.0.keys()
    }

    /// The first member.
    pub fn first(&self) -> Option<&K> {
        self.iter().next()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps only the members that pass.
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        self.0.retain(|key, ()| keep(key));
    }
}

impl<K: Ord> Set<K> {
    /// Whether it has the member.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Puts a member in; whether it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Takes a member out; whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(key).is_some()
    }
}

impl<K> Default for Set<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, K> IntoIterator for &'a Set<K> {
    type Item = &'a K;
    type IntoIter = List<'a, K, (), &'a K>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = List<'a, K, V, (&'a K, &'a V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        self.0.extend(keys.into_iter().map(|key| (key, ())));
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::new();
        set.extend(keys);
        set
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = iter::Map<vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(key, ())| key)
    }
}

impl<K: fmt::Debug> fmt::Debug for Set<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Sorts a list; equals stay in their order.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// Sorts a list by what `compare` says of two; equals stay in their order.
pub fn sort_by<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = sorted(list.len(), &mut |a, b| compare(&list[a], &list[b]).is_gt());
    for place in 0..list.len() {
        // What belongs here may have gone to where the earlier swaps sent it.
        let mut from = order[place] as usize;
        while from < place {
            from = order[from] as usize;
        }
        list.swap(place, from);
        order[place] = from as u32;
    }
}

/// The order that sorts a list of a length: which of its items comes first, second, and so on.
fn sorted(len: usize, greater: &mut dyn FnMut(usize, usize) -> bool) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(len);
    for item in 0..len {
        let (mut low, mut high) = (0, order.len());
        while low < high {
            let middle = low.midpoint(high);
            if greater(order[middle] as usize, item) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        order.insert(low, item as u32);
    }
    order
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn sorts_like_the_stable_sort(list: Vec<(u8, u32)>) {
            let (mut own, mut known) = (list.clone(), list);
            sort_by(&mut own, |a, b| a.0.cmp(&b.0));
            known.sort_by_key(|(key, _)| *key);
            prop_assert_eq!(own, known);
        }

        #[test]
        fn a_map_does_what_a_tree_does(steps: Vec<(u8, u8, u32)>) {
            let (mut own, mut known) = (Map::new(), BTreeMap::new());
            for (step, key, value) in steps {
                match step % 6 {
                    0 => prop_assert_eq!(own.remove(&key), known.remove(&key)),
                    1 => {
                        *own.entry(key).or_default() ^= value;
                        *known.entry(key).or_default() ^= value;
                    }
                    2 if key > 200 => {
                        own.retain(|k, v| (*v ^ u32::from(*k)) % 3 > 0);
                        known.retain(|k, v| (*v ^ u32::from(*k)) % 3 > 0);
                    }
                    3 if key > 200 => {
                        let (ours, theirs) = (own.split_off(&key), known.split_off(&key));
                        prop_assert!(ours.into_iter().eq(theirs));
                    }
                    _ => prop_assert_eq!(own.insert(key, value), known.insert(key, value)),
                }
                prop_assert_eq!(own.get(&key), known.get(&key));
                prop_assert!(own.iter().eq(known.iter()));
            }
            prop_assert_eq!(format!("{own:?}"), format!("{known:?}"));
        }

        #[test]
        fn a_set_does_what_a_tree_does(steps: Vec<(bool, u8)>) {
            let (mut own, mut known) = (Set::new(), BTreeSet::new());
            for (add, key) in steps {
                if add {
                    prop_assert_eq!(own.insert(key), known.insert(key));
                } else {
                    prop_assert_eq!(own.remove(&key), known.remove(&key));
                }
                prop_assert_eq!(own.contains(&key), known.contains(&key));
            }
            prop_assert_eq!(format!("{own:?}"), format!("{known:?}"));
            prop_assert!(own.into_iter().eq(known));
        }
    }
}
