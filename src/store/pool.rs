//! Open connections of a store, kept for the next call.

use super::{Address, Open, Store, StoreError};
use std::sync::{Mutex, PoisonError};

/// The most connections that are kept. More are opened where more calls run at once.
const KEPT: usize = 4;

/// A store with connections that wait for their next use.
#[derive(Debug)]
pub struct Pool {
    address: Address,
    idle: Mutex<Vec<Store>>,
}

impl Pool {
    /// Opens nothing yet.
    pub fn new(address: Address) -> Self {
        Self { address, idle: Mutex::default() }
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Does something with a connection. One that was kept and is broken is replaced, once, if
    /// `work` only reads.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read<T>(
        &self,
        work: impl Fn(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Some(store) = self.take() {
            match self.run(store, &work) {
                Err(StoreError::Away(_)) => self.clear(),
                done => return done,
            }
        }
        self.run(Store::open(&self.address, Open::Existing)?, work)
    }

    /// Changes something, through a new connection: a kept one may be broken, and nobody could tell
    /// whether the change was made.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn write<T>(
        &self,
        open: Open,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = self.run(Store::open(&self.address, open)?, work)?;
        super::watch::tell(&self.address);
        Ok(done)
    }

    fn run<T>(
        &self,
        mut store: Store,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = work(&mut store);
        if !matches!(done, Err(StoreError::Away(_) | StoreError::Broken(_))) {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < KEPT {
                idle.push(store);
            }
        }
        done
    }

    fn take(&self) -> Option<Store> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn clear(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
