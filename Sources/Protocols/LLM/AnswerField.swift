/// The members that tell what an item of an answer is. Arrays add nothing to a path.
enum AnswerField: UInt8, CaseIterable {
  // Several dialects.
  case object, model, type, content, error, delta, response, errorType, errorCode, errorStatus, errorMessage,
    promptTokens, completionTokens, reasoningTokens, outputTokens, inputTokens
  // OpenAI chat and completions.
  case choiceDelta, choiceContent, choiceRefusal, choiceReasoningContent, choiceReasoning,
    choiceThought, choiceToolName, choiceToolArguments, choiceFunction, choiceText, choiceFinish
  // OpenAI responses.
  case responseModel, responseInput, responseOutput, responseReasoning, responseWhy, responseErrorCode, code
  // Anthropic.
  case messageModel, messageInput, deltaText, deltaThinking, deltaJSON, deltaStop
  // Ollama.
  case createdAt, messageContent, messageThinking, messageTools, thinking, done, doneReason, promptEvalCount,
    evalCount
  // Gemini.
  case candidates, candidateContent, partText, partThought, partCall, candidateFinish, usageMetadata,
    geminiPrompt, geminiOutput, geminiThoughts, modelVersion
  // TGI.
  case tokenText, tokenSpecial, generatedText, detailFinish, detailTokens, flatErrorType
  // llama.cpp.
  case stop, stopType, tokensPredicted, tokensEvaluated

  /// Of its value in a set of fields.
  @inline(__always)
  var bit: UInt128 { 1 << UInt128(rawValue) }

  private static let paths: [(String, AnswerField)] = [
    // Several dialects.
    ("object", .object),
    ("model", .model),
    ("type", .type),
    ("content", .content),
    ("error", .error),
    ("delta", .delta),
    ("response", .response),
    ("error.type", .errorType),
    ("error.code", .errorCode),
    ("error.status", .errorStatus),
    ("error.message", .errorMessage),
    ("usage.prompt_tokens", .promptTokens),
    ("usage.completion_tokens", .completionTokens),
    ("usage.completion_tokens_details.reasoning_tokens", .reasoningTokens),
    ("usage.output_tokens", .outputTokens),
    ("usage.input_tokens", .inputTokens),
    // OpenAI chat and completions.
    ("choices.delta", .choiceDelta),
    ("choices.delta.content", .choiceContent),
    ("choices.delta.refusal", .choiceRefusal),
    ("choices.delta.reasoning_content", .choiceReasoningContent),
    ("choices.delta.reasoning", .choiceReasoning),
    ("choices.delta.thinking", .choiceThought),
    ("choices.delta.tool_calls.function.name", .choiceToolName),
    ("choices.delta.tool_calls.function.arguments", .choiceToolArguments),
    ("choices.delta.function_call", .choiceFunction),
    ("choices.text", .choiceText),
    ("choices.finish_reason", .choiceFinish),
    // OpenAI responses.
    ("response.model", .responseModel),
    ("response.usage.input_tokens", .responseInput),
    ("response.usage.output_tokens", .responseOutput),
    ("response.usage.output_tokens_details.reasoning_tokens", .responseReasoning),
    ("response.incomplete_details.reason", .responseWhy),
    ("response.error.code", .responseErrorCode),
    ("code", .code),
    // Anthropic.
    ("message.model", .messageModel),
    ("message.usage.input_tokens", .messageInput),
    ("delta.text", .deltaText),
    ("delta.thinking", .deltaThinking),
    ("delta.partial_json", .deltaJSON),
    ("delta.stop_reason", .deltaStop),
    // Ollama.
    ("created_at", .createdAt),
    ("message.content", .messageContent),
    ("message.thinking", .messageThinking),
    ("message.tool_calls", .messageTools),
    ("thinking", .thinking),
    ("done", .done),
    ("done_reason", .doneReason),
    ("prompt_eval_count", .promptEvalCount),
    ("eval_count", .evalCount),
    // Gemini.
    ("candidates", .candidates),
    ("candidates.content", .candidateContent),
    ("candidates.content.parts.text", .partText),
    ("candidates.content.parts.thought", .partThought),
    ("candidates.content.parts.functionCall", .partCall),
    ("candidates.finishReason", .candidateFinish),
    ("usageMetadata", .usageMetadata),
    ("usageMetadata.promptTokenCount", .geminiPrompt),
    ("usageMetadata.candidatesTokenCount", .geminiOutput),
    ("usageMetadata.thoughtsTokenCount", .geminiThoughts),
    ("modelVersion", .modelVersion),
    // TGI.
    ("token.text", .tokenText),
    ("token.special", .tokenSpecial),
    ("generated_text", .generatedText),
    ("details.finish_reason", .detailFinish),
    ("details.generated_tokens", .detailTokens),
    ("error_type", .flatErrorType),
    // llama.cpp.
    ("stop", .stop),
    ("stop_type", .stopType),
    ("tokens_predicted", .tokensPredicted),
    ("tokens_evaluated", .tokensEvaluated),
  ]

  /// Found by the hash of its path. A path that is made to have the hash of another one misleads about its own item only.
  static func named(by path: PathHash) -> AnswerField? { table.field(path.value) }

  private static let table = PathTable(paths)
}

/// Fields by the hashes of their paths, each in the first free place from its own on: it is asked for every name of every
/// item, and a dictionary hashes what is a hash already.
private struct PathTable: Sendable {
  private static let count = 256
  private var places = [(hash: UInt64, field: AnswerField)?](repeating: nil, count: count)

  init(_ paths: [(String, AnswerField)]) {
    for (path, field) in paths {
      let hash = PathHash(of: path).value
      var place = Self.place(hash)
      while places[place] != nil { place = (place + 1) % Self.count }
      places[place] = (hash, field)
    }
  }

  private static func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (count - 1) }

  func field(_ hash: UInt64) -> AnswerField? {
    var place = Self.place(hash)
    while let there = places[place] {
      if there.hash == hash { return there.field }
      place = (place + 1) % Self.count
    }
    return nil
  }
}

/// FNV-1a of a path's bytes, with a point before each name.
struct PathHash: Sendable {
  static let root: UInt64 = 0xCBF2_9CE4_8422_2325
  private static let prime: UInt64 = 0x100_0000_01B3

  var value = root

  @inline(__always)
  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* Self.prime }

  init() {}

  init(below parent: UInt64) {
    value = parent
    add(UInt8(ascii: "."))
  }

  init(of path: String) {
    add(UInt8(ascii: "."))
    for byte in path.utf8 { add(byte) }
  }
}
