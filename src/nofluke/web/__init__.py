"""The local web app: the library over HTTP, with pages that guide."""
