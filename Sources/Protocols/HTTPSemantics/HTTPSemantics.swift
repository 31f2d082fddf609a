// HTTPSemantics
