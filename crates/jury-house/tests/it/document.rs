//! Fixtures and properties of the checks for documents.
