// Dialogues
