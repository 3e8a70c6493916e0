//! Breaking lines at a width.
