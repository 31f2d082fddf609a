import LLMSemantics
import Testing

/// An answer as a server of its kind writes it, and what each of its items says.
struct AnswerRow: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  var isLines = false
  let dialect: AnswerDialect?
  let words: [String]

  init(_ name: String, _ text: String, isLines: Bool = false, _ dialect: AnswerDialect?, _ words: [String]) {
    self.name = name
    self.text = text
    self.isLines = isLines
    self.dialect = dialect
    self.words = words
  }

  var testDescription: String { name }
  var bytes: [UInt8] { Array(text.utf8) }
}

/// `data: …` and the empty line, for each.
private func events(_ data: String...) -> String { data.map { "data: \($0)\n\n" }.joined() }
private func lines(_ data: String...) -> String { data.map { "\($0)\n" }.joined() }

extension AnswerRow {
  static let all: [AnswerRow] = openAI + others + strange

  static let openAI: [AnswerRow] = [
    AnswerRow(
      "OpenAI chat: role, content, finish, usage, end",
      events(
        #"{"id":"c1","object":"chat.completion.chunk","model":"gpt-oss-120b","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
        #"{"id":"c1","object":"chat.completion.chunk","model":"gpt-oss-120b","choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}"#,
        #"{"id":"c1","object":"chat.completion.chunk","model":"gpt-oss-120b","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
        #"{"id":"c1","object":"chat.completion.chunk","model":"gpt-oss-120b","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":118,"total_tokens":127,"completion_tokens_details":{"reasoning_tokens":7}}}"#,
        "[DONE]"), .openAIChat,
      ["gpt-oss-120b", "text gpt-oss-120b", "gpt-oss-120b stop", "gpt-oss-120b 9/118/7", "end"]),
    AnswerRow(
      "vLLM: reasoning, then a tool call, escapes inside",
      events(
        #"{"choices":[{"delta":{"reasoning_content":"\"}]\\"}}],"model":"q/w3"}"#,
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}}]}"#,
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}}]}"#,
        #"{"error":{"message":"out of blocks","type":"server_error","code":500}}"#), .openAIChat,
      ["reasoning q/w3", "tool", "tool", "error server_error"]),
    AnswerRow(
      "completions", events(#"{"object":"text_completion","choices":[{"text":" a","finish_reason":"length"}]}"#),
      .openAICompletions, ["text length"]),
    AnswerRow(
      "an error in place of an answer", events(#"{"error":{"message":"no","type":"overloaded"}}"#), .openAIChat,
      ["error overloaded"]),
    AnswerRow(
      "OpenAI responses",
      #"event: response.created"# + "\n"
        + events(
          #"{"type":"response.created","response":{"model":"o9","usage":null}}"#,
          #"{"type":"response.output_text.delta","delta":"x"}"#,
          #"{"type":"response.reasoning_summary_text.delta","delta":"x"}"#,
          #"{"type":"response.function_call_arguments.delta","delta":"{"}"#,
          #"{"type":"response.completed","response":{"model":"o9","usage":{"input_tokens":1,"output_tokens":2}}}"#),
      .openAIResponses, ["o9", "text", "reasoning", "tool", "o9 completed 1/2/- end"]),
  ]

  static let others: [AnswerRow] = [
    AnswerRow(
      "Anthropic messages",
      "event: message_start\n"
        + events(
          #"{"type":"message_start","message":{"model":"claude-9","usage":{"input_tokens":25,"output_tokens":1}}}"#,
          #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
          #"{"type":"ping"}"#,
          #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}"#,
          #"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
          #"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{"}}"#,
          #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}"#,
          #"{"type":"message_stop"}"#), .anthropic,
      ["claude-9 25/-/-", "-", "-", "text", "reasoning", "tool", "end_turn -/15/-", "end"]),
    AnswerRow(
      "Anthropic: overloaded after 200", events(#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#),
      .anthropic, ["error overloaded_error"]),
    AnswerRow(
      "Ollama",
      lines(
        #"{"model":"llama3","created_at":"t","message":{"role":"assistant","content":"a"},"done":false}"#,
        #"{"model":"llama3","created_at":"t","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"prompt_eval_count":3,"eval_count":290,"eval_duration":4709213000}"#
      ), isLines: true, .ollama, ["text llama3", "llama3 stop 3/290/- end"]),
    AnswerRow(
      "Ollama generates, and fails",
      lines(#"{"model":"m","created_at":"t","response":"a","done":false}"#, #"{"error":"killed"}"#),
      isLines: true, .ollama, ["text m", "error"]),
    AnswerRow(
      "Gemini",
      events(
        #"{"candidates":[{"content":{"parts":[{"text":"think","thought":true}],"role":"model"}}],"modelVersion":"g-2"}"#,
        #"{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":6}}"#
      ), .gemini, ["reasoning g-2", "text STOP 4/6/- end"]),
    AnswerRow(
      "TGI",
      events(
        #"{"index":1,"token":{"id":1,"text":"a","logprob":-0.1,"special":false},"generated_text":null,"details":null}"#,
        #"{"index":2,"token":{"id":2,"text":"</s>","logprob":-0.1,"special":true},"generated_text":"a","details":{"finish_reason":"eos_token","generated_tokens":2}}"#
      ), .tgi, ["text", "eos_token -/2/- end"]),
    AnswerRow(
      "llama.cpp",
      events(#"{"content":"a","stop":false}"#, #"{"content":"","stop":true,"stop_type":"eos","tokens_predicted":5}"#),
      .llamaCpp, ["text", "eos -/5/- end"]),
  ]

  static let strange: [AnswerRow] = [
    AnswerRow("events of something else", events(#"{"n":1}"#, "hello", "[1]"), nil, []),
    AnswerRow(
      "an answer behind a greeting", events("hello", #"{"choices":[{"delta":{"content":"a"}}]}"#), .openAIChat, ["text"]
    ),
    AnswerRow(
      "too late", events("1", "2", "3", "4", "5", "6", "7", "8", #"{"choices":[{"delta":{"content":"a"}}]}"#), nil, []),
    AnswerRow(
      "CRLF, no blank behind the colon, JSON over two lines",
      "data:{\"choices\":\r\ndata:[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\n", .openAIChat, ["text"]),
    AnswerRow(
      "no JSON in the middle", events(#"{"choices":[{"delta":{"content":"a"}}]}"#, "{{{", "}", #"{"choices":]"#),
      .openAIChat, ["text", "-", "-", "-"]),
    AnswerRow("an event without its end", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n", nil, []),
    AnswerRow(
      "a last line without its end", #"{"model":"m","created_at":"t","response":"a","done":true}"#, isLines: true,
      .ollama, ["text m done end"]),
    AnswerRow(
      "a model that is no name", events(#"{"model":"a b\u0007","choices":[{"delta":{"content":"a"}}]}"#), .openAIChat,
      ["text"]),
    AnswerRow(
      "a byte order mark before the first event",
      "\u{FEFF}" + events(#"{"choices":[{"delta":{"content":"a"}}]}"#, "\u{FEFF}"), .openAIChat, ["text", "-"]),
    AnswerRow(
      "a byte order mark before the first line",
      "\u{FEFF}" + lines(#"{"model":"m","created_at":"t","response":"a","done":true}"#), isLines: true, .ollama,
      ["text m done end"]),
    AnswerRow(
      "the same name elsewhere is another member",
      events(#"{"choices":[{"delta":{"content":""},"x":{"delta":{"content":"a"}}}],"content":"a"}"#), .openAIChat, ["-"]
    ),
  ]
}
