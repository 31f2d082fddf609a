// LLMSemantics holds the words in which dialogues, rules and reports speak of answers that a language model streams:
// whose dialect it is, what ends it, what it counts. It parses nothing.

/// The dialect of a streamed answer. Recognised by content: many servers speak another vendor's.
package enum AnswerDialect: String, Hashable, Sendable, CaseIterable {
  case openAIChat = "openai-chat"
  case openAICompletions = "openai-completions"
  case openAIResponses = "openai-responses"
  case anthropic, ollama, gemini
  /// Text Generation Inference, its own stream.
  case tgi
  /// The own stream of llama.cpp's server.
  case llamaCpp = "llama.cpp"

  /// As documents call it.
  package var name: String { rawValue }

  package var title: String {
    switch self {
    case .openAIChat: "OpenAI chat"
    case .openAICompletions: "OpenAI completions"
    case .openAIResponses: "OpenAI responses"
    case .anthropic: "Anthropic messages"
    case .ollama: "Ollama"
    case .gemini: "Gemini"
    case .tgi: "TGI"
    case .llamaCpp: "llama.cpp"
    }
  }

  /// What its last item says. Without one of its own, the item with the finish reason is the last.
  package var endMarker: String {
    switch self {
    case .openAIChat, .openAICompletions: "[DONE]"
    case .openAIResponses: "response.completed"
    case .anthropic: "message_stop"
    case .ollama: "done"
    case .gemini: "finishReason"
    case .tgi: "generated_text"
    case .llamaCpp: "stop"
    }
  }
}

/// Tokens as the server counted them.
package struct AnswerUsage: Hashable, Sendable {
  package var prompt: UInt64?
  package var output: UInt64?
  /// Those of the output that were spent on reasoning.
  package var reasoning: UInt64?

  package init(prompt: UInt64? = nil, output: UInt64? = nil, reasoning: UInt64? = nil) {
    self.prompt = prompt
    self.output = output
    self.reasoning = reasoning
  }

  package var isEmpty: Bool { prompt == nil && output == nil && reasoning == nil }

  /// Later counts replace earlier ones: they grow while the answer does.
  package mutating func merge(_ other: AnswerUsage) {
    prompt = other.prompt ?? prompt
    output = other.output ?? output
    reasoning = other.reasoning ?? reasoning
  }
}

/// What a delta carries.
package struct AnswerContent: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let text = AnswerContent(rawValue: 1)
  package static let reasoning = AnswerContent(rawValue: 2)
  /// A part of a call of a tool.
  package static let tool = AnswerContent(rawValue: 4)
}
