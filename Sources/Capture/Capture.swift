// Capture
