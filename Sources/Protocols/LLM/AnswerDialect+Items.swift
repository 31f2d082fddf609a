import LLMSemantics

// How each dialect says what: the documentation of the vendors' APIs, and the sources of vLLM, TGI, Ollama and llama.cpp.

extension AnswerDialect {
  /// Whose item it is; nil where it is none of an answer, or could be anybody's.
  init?(_ facts: AnswerFacts, _ form: AnswerReader.Form) {
    if form == .events, let dialect = Self.ofEvents(facts) {
      self = dialect
    } else if facts.has(.done), facts.has(.model), facts.has(.createdAt) {
      self = .ollama
    } else {
      return nil
    }
  }

  private static func ofEvents(_ facts: AnswerFacts) -> AnswerDialect? {
    if facts.reads(.object, "chat.completion.chunk") || facts.has(.choiceDelta) { return .openAIChat }
    if facts.reads(.object, "text_completion") || facts.has(.choiceText) { return .openAICompletions }
    if facts.begins(.type, "response."), facts.has(.response) || facts.has(.delta) { return .openAIResponses }
    if facts.reads(.type, "message_start") || facts.begins(.type, "content_block_") { return .anthropic }
    if facts.reads(.type, "error"), facts.has(.errorType) { return .anthropic }
    if facts.has(.candidates), facts.has(.candidateContent) || facts.has(.usageMetadata) { return .gemini }
    if facts.has(.tokenText), facts.has(.tokenSpecial) { return .tgi }
    if facts.has(.content), facts.has(.stop) { return .llamaCpp }
    // Refused after 200: an error alone is said in the way of whoever began it, OpenAI.
    if facts.has(.errorMessage), facts.has(.errorType) { return .openAIChat }
    return nil
  }
}

extension AnswerItem {
  mutating func take(_ facts: AnswerFacts, _ dialect: AnswerDialect) {
    switch dialect {
    case .openAIChat, .openAICompletions: takeOpenAI(facts)
    case .openAIResponses: takeResponses(facts)
    case .anthropic: takeAnthropic(facts)
    case .ollama: takeOllama(facts)
    case .gemini: takeGemini(facts)
    case .tgi: takeTGI(facts)
    case .llamaCpp: takeLlama(facts)
    }
    guard failure == nil, facts.isFilled(.error) || facts.reads(.object, "error") else { return }
    failure = Failure(
      type: facts.name(.errorType) ?? facts.name(.errorStatus) ?? facts.name(.errorCode) ?? facts.name(.flatErrorType)
        ?? facts.name(.type))
  }

  private mutating func takeOpenAI(_ facts: AnswerFacts) {
    model = facts.name(.model)
    if facts.isFilled(anyOf: [.choiceContent, .choiceRefusal, .choiceText]) { content.insert(.text) }
    if facts.isFilled(anyOf: [.choiceReasoningContent, .choiceReasoning, .choiceThought]) {
      content.insert(.reasoning)
    }
    if facts.isFilled(anyOf: [.choiceToolName, .choiceToolArguments, .choiceFunction]) { content.insert(.tool) }
    finish = facts.name(.choiceFinish)
    usage = AnswerUsage(
      prompt: facts.number(.promptTokens), output: facts.number(.completionTokens),
      reasoning: facts.number(.reasoningTokens))
  }

  private mutating func takeResponses(_ facts: AnswerFacts) {
    model = facts.name(.responseModel)
    if facts.isFilled(.delta) {
      if facts.begins(.type, "response.reasoning") {
        content.insert(.reasoning)
      } else if facts.begins(.type, "response.output_text") || facts.begins(.type, "response.refusal") {
        content.insert(.text)
      } else {
        content.insert(.tool)
      }
    }
    usage = AnswerUsage(
      prompt: facts.number(.responseInput), output: facts.number(.responseOutput),
      reasoning: facts.number(.responseReasoning))
    if facts.reads(.type, "response.completed") {
      (isEnd, finish) = (true, "completed")
    } else if facts.reads(.type, "response.incomplete") {
      (isEnd, finish) = (true, facts.name(.responseWhy) ?? "incomplete")
    } else if facts.reads(.type, "response.failed") {
      isEnd = true
      failure = Failure(type: facts.name(.responseErrorCode))
    } else if facts.reads(.type, "error") {
      failure = Failure(type: facts.name(.errorCode) ?? facts.name(.errorType) ?? facts.name(.code))
    }
  }

  private mutating func takeAnthropic(_ facts: AnswerFacts) {
    model = facts.name(.messageModel)
    if facts.isFilled(.deltaText) { content.insert(.text) }
    if facts.isFilled(.deltaThinking) { content.insert(.reasoning) }
    if facts.isFilled(.deltaJSON) { content.insert(.tool) }
    finish = facts.name(.deltaStop)
    usage = AnswerUsage(
      prompt: facts.number(.messageInput) ?? facts.number(.inputTokens),
      output: facts.number(.outputTokens))
    isEnd = facts.reads(.type, "message_stop")
  }

  private mutating func takeOllama(_ facts: AnswerFacts) {
    model = facts.name(.model)
    if facts.isFilled(anyOf: [.messageContent, .response]) { content.insert(.text) }
    if facts.isFilled(anyOf: [.messageThinking, .thinking]) { content.insert(.reasoning) }
    if facts.isFilled(.messageTools) { content.insert(.tool) }
    usage = AnswerUsage(prompt: facts.number(.promptEvalCount), output: facts.number(.evalCount))
    isEnd = facts.isFilled(.done)
    finish = facts.name(.doneReason) ?? (isEnd ? "done" : nil)
  }

  private mutating func takeGemini(_ facts: AnswerFacts) {
    model = facts.name(.modelVersion)
    if facts.isFilled(.partText) { content.insert(facts.isFilled(.partThought) ? .reasoning : .text) }
    if facts.isFilled(.partCall) { content.insert(.tool) }
    usage = AnswerUsage(
      prompt: facts.number(.geminiPrompt), output: facts.number(.geminiOutput),
      reasoning: facts.number(.geminiThoughts))
    finish = facts.name(.candidateFinish)
    isEnd = finish != nil
  }

  private mutating func takeTGI(_ facts: AnswerFacts) {
    if facts.isFilled(.tokenText), !facts.isFilled(.tokenSpecial) { content.insert(.text) }
    usage = AnswerUsage(output: facts.number(.detailTokens))
    isEnd = facts.has(.generatedText)
    finish = facts.name(.detailFinish) ?? (isEnd ? "done" : nil)
  }

  private mutating func takeLlama(_ facts: AnswerFacts) {
    model = facts.name(.model)
    if facts.isFilled(.content) { content.insert(.text) }
    isEnd = facts.isFilled(.stop)
    if isEnd { finish = facts.name(.stopType) ?? "stop" }
    usage = AnswerUsage(prompt: facts.number(.tokensEvaluated), output: facts.number(.tokensPredicted))
  }
}
